import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)) } },
  test: {
    maxWorkers: 3, // they wait for the database more than they compute
    testTimeout: 60_000, // a machine that is busy with other things fails nothing
    hookTimeout: 60_000,
    env: { DATABASE_URL: "", DATABASE_OWNER_URL: "" }, // none but a test's own
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          include: ["{lib,scripts,prisma,app,components}/**/*.test.ts"],
          globalSetup: "scripts/vitest-database.mjs",
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
