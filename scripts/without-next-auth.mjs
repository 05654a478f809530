import { register } from "node:module";

// Node reads next-auth's CommonJS otherwise than Next's compiler does. Where nobody signs in with a cookie, nothing stands in for it.
const NOTHING = "data:text/javascript,export default (options) => options; export const decode = async () => null; export const encode = async () => '';";
const hooks = `export const resolve = (specifier, context, next) => specifier.startsWith("next-auth") ? { url: ${JSON.stringify(NOTHING)}, shortCircuit: true } : next(specifier, context);`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
