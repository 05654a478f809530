import { prisma } from "../database/client";

const EVERY_MS = 60_000;
let next = 0;

/** Removes what was counted for minutes that are over and answers that are no longer kept; at most once a minute in this process. */
export async function forgetMinutes(): Promise<void> {
  if (performance.now() < next) return;
  next = performance.now() + EVERY_MS;
  await prisma().$executeRaw`SELECT forget_minutes()`;
}
