import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Fault } from "./faults";

type Control = { landLate?: boolean; faults?: (Fault | null)[]; payments?: { id: string; capturedMinor: string; disputedMinor?: string }[]; forgetKeys?: boolean; delayMs?: number };
export type PlatformRefund = { id: string; reference: string; payment: string; amountMinor: string };
export type LossyPlatform = { url: string; control: (command: Control) => Promise<{ refunds: PlatformRefund[] }>; stop: () => Promise<void> };

/** Starts the lossy platform as a process of its own; with a seed, a share of its writes go wrong at random. */
export async function startLossyPlatform({ seed = 0, rate = 0 } = {}): Promise<LossyPlatform> {
  const program = fileURLToPath(new URL("./server.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, "0", String(seed), String(rate)], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  const url = `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`;
  return {
    url,
    control: async (command) => (await (await fetch(`${url}/control`, { method: "POST", body: JSON.stringify(command) })).json()) as { refunds: PlatformRefund[] },
    stop: async () => { child.kill("SIGKILL"); await once(child, "exit"); },
  };
}
