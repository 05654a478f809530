import type { Reader } from "../database/transactions";
import { tenant } from "../database/client";
import { PublishedRules, type Policy } from "./schema";

// A version never changes once published, so one read of each is enough for a process.
const kept = new Map<string, Policy>();

export async function readPolicy(merchantId: string, version: number, db: Reader = tenant(merchantId)): Promise<Policy> {
  const key = `${merchantId} ${version}`;
  const known = kept.get(key);
  if (known) return known;
  const row = await db.policy.findUniqueOrThrow({ where: { merchantId_version: { merchantId, version } } });
  const policy = { version, rules: PublishedRules.parse(JSON.parse(row.rules)) };
  if (kept.size >= 1000) kept.clear();
  kept.set(key, policy);
  return policy;
}

/** The policy in force and the pause flag, as of now (outside the lock: judged again under it). */
export async function readPolicyInForce(merchantId: string, db: Reader = tenant(merchantId)): Promise<{ policy: Policy; paused: boolean }> {
  const head = await db.head.findUniqueOrThrow({ where: { merchantId }, select: { policyVersion: true, paused: true } });
  return { policy: await readPolicy(merchantId, head.policyVersion, db), paused: head.paused };
}
