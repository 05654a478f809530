/** Reads an answer to its end, telling how many lines have come, then saves it as a file. Throws where it breaks off: half a file is none. Gives the lines. */
export async function saveStream(path: string, name: string, signal: AbortSignal, onLines: (lines: number) => void): Promise<number> {
  const answer = await fetch(path, { signal });
  if (!answer.ok || !answer.body) throw new Error(`answered ${answer.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  const reader = answer.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    for (const byte of read.value) if (byte === 0x0a) lines++;
    onLines(lines);
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type: answer.headers.get("content-type") ?? "" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return lines;
}
