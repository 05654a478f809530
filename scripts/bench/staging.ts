import pg from "pg";
import { oneStatement, stageCall, type StageCall } from "../../lib/changes/stage-call";
import { Ground } from "./ground";
import { compare, rate, type Compared, type Rate } from "./rounds";

const MERCHANTS = 1000;
const SLICE_MS = 900;
const ROUNDS = 9;

/** Staging with its append, through the product's way, against the same SQL function called from plain `pg`, one commit each. */
export async function benchStaging(database: { databaseUrl: string; ownerDatabaseUrl: string }): Promise<Compared[]> {
  const owner = new pg.Client({ connectionString: database.ownerDatabaseUrl });
  await owner.connect();
  const spread = Array.from({ length: MERCHANTS }, () => new Ground(80));
  for (const ground of spread) await ground.lay(owner);
  const hot = new Ground(150_000);
  await hot.lay(owner);
  await owner.query("ANALYZE");
  await owner.end();

  const plain = new pg.Pool({ connectionString: database.databaseUrl, max: 32 });
  const ours = async (call: StageCall): Promise<void> => staged((await stageCall(call)).outcome);
  const theirs = async (call: StageCall): Promise<void> => staged((await plain.query<{ outcome: string }>(oneStatement(call))).rows[0]!.outcome);
  let turn = 0;
  const anywhere = (send: (call: StageCall) => Promise<void>) => (): Promise<Rate> => rate((caller) => send(spread[turn++ % MERCHANTS]!.nextCall(caller)), 16, SLICE_MS);
  const onOne = (send: (call: StageCall) => Promise<void>) => (): Promise<Rate> => rate((caller) => send(hot.nextCall(caller)), 32, SLICE_MS);
  const rows = [
    await compare("stage, 1,000 merchants, 16 at once, against plain pg", 0.7, anywhere(ours), anywhere(theirs), ROUNDS),
    await compare("stage, one hot merchant, 32 at once, committed together, against plain pg", 2, onOne(ours), onOne(theirs), ROUNDS),
  ];
  await plain.end();
  return rows;
}

function staged(outcome: string): void {
  if (outcome !== "staged") throw new Error(`the bench staged nothing: ${outcome}`);
}
