import { buildVerifier } from "./build-verifier.mjs";
import { build } from "./stack.mjs";
import { fail, step } from "./steps.mjs";

// For production: the verifier, and the pages with the stamp by which a demo in the same folder knows that they are built.

async function main() {
  await step("Building the verifier", "1 second", () => buildVerifier());
  await step("Building the pages", "1 minute", () => build(process.env.NEXT_DIST_DIR ?? ".next", ".data/logs"));
}

await main().catch(fail);
