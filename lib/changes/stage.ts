import { entryActor, type AgentActor, type Ctx } from "../kernel/context";
import { authorise, type Permit } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import type { Verdict } from "../kernel/verdict";
import { inTransaction, type Db } from "../database/transactions";
import { answerMeanwhile, beginAgentWrite, type Answer, type RequestKey } from "../ledger/agent-write";
import { appendMove } from "../log/append";
import { advance } from "./advance";
import { lockPayment } from "./lock-payment";
import { refuseBroken } from "./refuse-broken";
import type { RefundInput } from "./refund-input";
import { stageCall, stageIn, type StageCall, type StageOutcome } from "./stage-call";
import { prepare, propose, type AgentProposal } from "./stage-proposal";
import { Together } from "./together";

export type Staged = Answer & { replayed: boolean };
type Asked = { permit: Permit<AgentActor>; sessionId: string; request: RequestKey; input: RefundInput };

const MISSES = 2;

/**
 * Stages a refund: judged here on the figures as read, written by one call that refuses where they moved meanwhile. Where they moved twice it is
 * judged once more under the lock, where they cannot. What takes another's place goes there at once: two changes move together.
 */
export async function stageRefund(ctx: Ctx<AgentActor>, sessionId: string, request: RequestKey, input: RefundInput): Promise<Staged> {
  const asked: Asked = { permit: authorise(ctx, "change:stage"), sessionId, request, input };
  for (let miss = input.supersedes === undefined ? 0 : MISSES; miss < MISSES; miss++) {
    const written = await stageCall(prepared(asked, await judged(asked)));
    if (written.outcome !== "moved") return told(written);
  }
  return told(await inTurn.call(ctx.merchantId, asked));
}

/** What staging would answer, without storing anything. */
export async function judgeRefund(ctx: Ctx<AgentActor>, sessionId: string, input: RefundInput): Promise<Verdict> {
  authorise(ctx, "change:stage");
  return (await propose(ctx, sessionId, input)).judgement.verdict;
}

/** One of a merchant at a time waits for the lock, so that many do not use up its patience and the connections. */
const inTurn = new Together<Asked, StageOutcome>(async (_merchantId, [asked]) => [await stageUnderLock(asked!)], 1);

/** Locks as every writer does (key and session, log, payment), then reads, judges and writes. */
function stageUnderLock(asked: Asked): Promise<StageOutcome> {
  const { permit: { ctx }, sessionId, request, input } = asked;
  const { merchantId } = ctx;
  return inTransaction(merchantId, async (db) => {
    await beginAgentWrite(db, ctx, sessionId, request.key);
    await db.$queryRaw`SELECT now FROM ledger_lock(${merchantId})`;
    await lockPayment(db, merchantId, input.orderId);
    const before = await answerMeanwhile(db, ctx, request);
    if (before) return { outcome: "replayed", answer: { status: before.status, body: before.body } };
    const proposal = await judged(asked, db);
    if (proposal.replaced) await advance({ move: (move) => appendMove(db, merchantId, entryActor(ctx.actor), move) }, proposal.replaced, "withdraw", {});
    const written = await stageIn(db, prepared(asked, proposal));
    if (written.outcome !== "staged" && proposal.replaced) throw refusalOf(written.outcome); // and what made room for it stays
    return written;
  });
}

async function judged({ permit, sessionId, input }: Asked, db?: Db): Promise<AgentProposal> {
  const proposal = await propose(permit.ctx, sessionId, input, db);
  refuseBroken("agent", proposal.order, proposal.judgement);
  return proposal;
}

const prepared = ({ permit, sessionId, request, input }: Asked, proposal: AgentProposal): StageCall => prepare(permit, sessionId, request, input, proposal);

function told(written: StageOutcome): Staged {
  if (written.outcome === "staged" || written.outcome === "replayed") return { ...written.answer, replayed: written.outcome === "replayed" };
  throw refusalOf(written.outcome);
}

const refusalOf = (outcome: Exclude<StageOutcome["outcome"], "staged">): Refusal =>
  outcome === "moved" || outcome === "replayed"
    ? new Refusal("unavailable", { detail: "The key or the figures moved while they were locked; nothing was staged", retryAfter: 1 })
    : new Refusal(outcome, { retryAfter: 1 });
