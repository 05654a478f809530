import { z } from "zod";
import type { AgentActor, Ctx } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { pool } from "../database/client";
import type { Db } from "../database/transactions";
import type { Velocity } from "../guardrails/rule";
import type { OrderFacts } from "../platforms/store/order-facts";
import { quorumSince } from "./judge";

const Minor = z.string().transform(BigInt);
const Time = z.string().transform((text) => new Date(text));
const Line = z.object({
  id: z.string(), position: z.int(), sku: z.string(), title: z.string(), quantity: z.int(), paidMinor: Minor, refundedMinor: Minor, heldMinor: Minor, refundedQuantity: z.int(), heldQuantity: z.int(),
});
const Payment = z.object({ id: z.string(), currency: z.string(), paidAt: Time, capturedMinor: Minor, refundedMinor: Minor, heldMinor: Minor, disputedMinor: Minor, stagedMinor: Minor });
const Order = z.object({
  id: z.string(), number: z.string(), currency: z.string(), placedAt: Time, customerId: z.string().nullable(),
  shippingMinor: Minor, shippingRefundedMinor: Minor, shippingHeldMinor: Minor, lines: z.array(Line), payment: Payment,
});
const Facts = z.object({
  policyVersion: z.int(), paused: z.boolean(), read: z.boolean().nullable(), excludes: z.array(z.string()).nullable(), eligible: z.int().nullable(), otherRefunds: Minor,
  velocity: z.object({ changes: z.int(), refundMinor: Minor, pending: z.int() }).nullable(), order: Order.nullable(),
});

export type StageFacts = {
  policyVersion: number; paused: boolean;
  /** Whether the session has read the order whole; null where it has not read it at all. */
  read: boolean | null;
  /** Persons who may not approve: the owner of the agent's key and whoever made it. */
  excludes: string[];
  /** How many members may approve what these may not. */
  eligible: number;
  /** What the agent staged today, and what of it waits. */
  velocity: Velocity;
  otherRefunds: bigint;
  order: OrderFacts | null;
};

type Row = { facts: unknown };
const CALL = "SELECT stage_facts($1, $2, $3, $4, $5) AS facts";

/** Everything that staging a refund of this order is judged on, in one round trip (`stage_facts`, prisma/migrations): in the transaction of `db`, or as of now. */
export async function readStageFacts({ merchantId, actor, now }: Ctx<AgentActor>, sessionId: string, orderId: string, db?: Db): Promise<StageFacts> {
  const values = [merchantId, sessionId, actor.keyId, orderId, quorumSince(now)];
  const rows = db ? await db.$queryRawUnsafe<Row[]>(CALL, ...values) : (await pool().query<Row>({ name: "stage_facts", text: CALL, values })).rows;
  const { excludes, eligible, velocity, ...facts } = Facts.parse(rows[0]!.facts);
  if (excludes === null || eligible === null || velocity === null) throw new Refusal("unauthenticated", { detail: "The key was revoked or has expired" });
  return { ...facts, excludes, eligible, velocity };
}
