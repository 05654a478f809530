// A server action over HTTP, as React encodes it: the form's fields belong to part 1, and part 0 is the call's arguments.

/** The body of a call to a form's action with these fields. */
export function actionForm(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(`_1_${name}`, value);
  form.append("0", '[{"status":"idle"},"$K1"]');
  return form;
}

/** What the action returned, or null where it ended in a fault or elsewhere. */
export function actionTold<T>(answer: string): T | null {
  const told = /^1:(\{.*)$/m.exec(answer)?.[1];
  return told === undefined ? null : (JSON.parse(told) as T);
}
