import { build } from "esbuild";
import { fail, isMain } from "./steps.mjs";

/** The verifier as one file that needs nothing but Node: it is handed to strangers. */
export async function buildVerifier(outfile = "dist/verify.mjs") {
  await build({
    entryPoints: ["scripts/verify.ts"], outfile, bundle: true, platform: "node", format: "esm", target: "node20.19", legalComments: "inline", logLevel: "error",
    banner: { js: "#!/usr/bin/env node" },
  });
}

if (isMain(import.meta)) await buildVerifier().catch(fail);
