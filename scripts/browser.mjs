import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const SYSTEM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** How Playwright starts the browser that is here: its own, else the system's; null where there is none. */
export function browserOptions() {
  if (existsSync(chromium.executablePath())) return {};
  const executablePath = [process.env.E2E_CHROMIUM ?? "", ...SYSTEM].find((path) => existsSync(path));
  if (!executablePath) return null;
  const root = process.getuid?.() === 0;
  return { executablePath, args: root ? ["--no-sandbox", ...QUIET] : QUIET };
}

/** The one command that installs a browser on this machine. */
export function browserInstall() {
  if (!existsSync("/usr/bin/apt-get")) return "npx playwright install chromium";
  const sudo = process.getuid?.() === 0 ? "" : "sudo ";
  return `${sudo}apt-get update && ${sudo}apt-get install -y chromium`;
}
