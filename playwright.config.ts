import { defineConfig, devices } from "@playwright/test";
import { browserOptions } from "./scripts/browser.mjs";

/** The server runs already: scripts/test.mjs starts one of its own, and without it the running demo is used. */
export default defineConfig({
  testDir: "e2e",
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  forbidOnly: true,
  use: { actionTimeout: 15_000, trace: "retain-on-failure", launchOptions: browserOptions() ?? {} },
  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"] } }],
});
