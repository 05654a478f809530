import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)) } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          include: ["{lib,scripts,prisma,app,components}/**/*.test.ts"],
          globalSetup: "scripts/vitest-database.mjs",
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "dom",
          environment: "jsdom",
          include: ["{components,app,lib}/**/*.test.tsx"],
          setupFiles: "lib/testing/dom.ts",
        },
      },
    ],
  },
});
