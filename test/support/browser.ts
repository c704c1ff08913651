/** A real Chromium with a profile of its own and no way to the network, driven by playwright-core. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import axe from "axe-core";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import type { TestContext } from "vitest";
import { fetchProgram, type NpmProgram } from "./npm-cache.ts";
import { copyProgram } from "./program-path.ts";
import type { Sandbox } from "./sandbox.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Headless. Its package has also what a bare machine lacks: a font, and the libraries of NSS. */
const CHROMIUM_PACKAGE: NpmProgram = {
  name: "@sparticuz/chromium",
  version: "153.0.0",
  file: "bin/chromium.sh",
  integrity:
    "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
  unpack: unpackChromium,
};

/** The machine's own fonts, if it has any, and the one of the package. */
const FONTS = `<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

export type ProvidedChromium = { program: string } | { lack: string };

/** The one on the PATH, or one from npm, which is fetched first if necessary; or why there is none. */
export function provideChromium(path: string = process.env["PATH"] ?? ""): ProvidedChromium {
  const candidates = path.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const program = candidates.find((candidate) => existsSync(candidate) && whyNotRun(candidate) === undefined);
  if (program !== undefined) return { program };
  if (process.platform !== "linux" || process.arch !== "x64")
    return { lack: "there is no Chromium, and npm has one for Linux on x64 only" };
  try {
    const fetched = fetchProgram(CHROMIUM_PACKAGE);
    const lack = whyNotRun(fetched);
    return lack === undefined ? { program: fetched } : { lack };
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { lack: `there is no Chromium: ${line}` };
  }
}

function whyNotRun(program: string): string | undefined {
  const { status, stderr, error } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 ? undefined : `${program} does not run: ${error?.message ?? stderr.trim()}`;
}

function unpackChromium(folder: string): void {
  const bin = join(folder, "bin");
  const read = (name: string): Buffer => brotliDecompressSync(readFileSync(join(bin, name)));
  writeFileSync(join(bin, "chromium"), read("chromium.br"), { mode: 0o755 });
  for (const archive of ["al2023.tar.br", "fonts.tar.br"])
    execFileSync("tar", ["-xf", "-", "-C", bin], { input: read(archive) });
  writeFileSync(join(bin, "fonts.conf"), FONTS);
  copyProgram("chromium.sh", join(bin, "chromium.sh"));
}

/** Chromium's package has no font for it. */
export function hasJapaneseFont(): boolean {
  return (spawnSync("fc-list", [":lang=ja"], { encoding: "utf8" }).stdout ?? "").trim() !== "";
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
  const { OVLD_TEST_CHROMIUM, OVLD_TEST_NO_CHROMIUM } = process.env;
  if (!OVLD_TEST_CHROMIUM) return test.skip(OVLD_TEST_NO_CHROMIUM ?? "the run has not looked for a Chromium");
  return launchBrowser(sandbox, OVLD_TEST_CHROMIUM, wish);
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
  // Only a hang reaches it.
  context.setDefaultTimeout(120_000);
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

/** What axe-core finds on a page that keeps people from using it. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // The page's own policy keeps foreign scripts out, so the checker is evaluated instead of added.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<any>("axe.run(document, { resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }: any) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }: any) => `${id}: ${nodes.map((node: any) => node.html).join(" | ")}`);
}
