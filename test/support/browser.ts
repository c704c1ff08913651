/** A real Chromium with a profile of its own and no way to the network, driven by playwright-core. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import type { TestContext } from "vitest";
import type { Sandbox } from "./sandbox.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Undefined if there is none. */
export function findChromium(path: string = process.env["PATH"] ?? ""): string | undefined {
  const candidates = path.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate));
}

export interface Browser {
  context: BrowserContext;
  /** A new page; a message on its console that is an error makes `errors` longer. */
  open: (address: string) => Promise<Page>;
  errors: string[];
}

interface BrowserWish {
  theme?: "light" | "dark";
  width?: number;
  height?: number;
  timezone?: string;
}

/** Skips the test where there is no Chromium. */
export async function startBrowser(
  sandbox: Sandbox,
  test: Pick<TestContext, "skip">,
  wish: BrowserWish = {},
): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) return test.skip("there is no Chromium");
  return launchBrowser(sandbox, executablePath, wish);
}

export async function launchBrowser(
  sandbox: Pick<Sandbox, "root" | "env" | "defer">,
  executablePath: string,
  { theme = "light", width = 1_280, height = 900, timezone = "UTC" }: BrowserWish = {},
): Promise<Browser> {
  const profile = join(sandbox.root, `chromium-${Math.random().toString(36).slice(2, 8)}`);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    env: { ...sandbox.env },
    colorScheme: theme,
    timezoneId: timezone,
    viewport: { width, height },
    args: [
      // Chromium's own sandbox refuses to run as root.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-dev-shm-usage",
      "--disable-gpu",
      // Nothing but this machine is ever reached.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      "--disable-background-networking",
      "--disable-component-update",
      "--no-first-run",
    ],
  });
  // It may have been ended with everything else in the sandbox.
  sandbox.defer(() => context.close().catch(() => {}));
  const errors: string[] = [];
  return {
    context,
    errors,
    async open(address) {
      const page = await context.newPage();
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(address);
      return page;
    },
  };
}
