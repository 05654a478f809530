import { hash } from "node:crypto";
import type { Sha256 } from "./leaf";

/** Node's. A browser brings its own: nothing else in this folder needs Node. */
export const sha256: Sha256 = (input) => hash("sha256", input, "hex");
