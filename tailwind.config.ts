import type { Config } from "tailwindcss";

/** Colours, type and space are tokens in app/globals.css; Tailwind finds the class names by itself. */
export default { content: [] } satisfies Config;
