/** Films a real practice campaign in a real Zellij, as its terminal shows it to a person who looks into the tabs. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { makeSandbox } from "../test/support/sandbox.ts";
import { waitUntil } from "../test/support/wait-until.ts";
import { drawFilm, type Frame } from "./draw-film.ts";
import { drawRows, type Theme } from "./draw-screen.ts";

const COLUMNS = 110;
const ROWS = 30;
const EVERY_MS = 200;
/** What a person sees in a tab before they look into the next one. */
const SIGHTS = [
  { tab: 1, until: "I split it into" },
  { tab: 3, until: "Report: Task for storm" },
  { tab: 1, until: "Your wish is fulfilled" },
];

/** `colours` is the name of a theme of Zellij. */
export async function filmCampaign(
  zellij: string,
  wish: string,
  colours: string,
  theme: Theme,
): Promise<string> {
  await using sandbox = makeSandbox();
  const script = join(sandbox.root, "script.json");
  writeFileSync(script, JSON.stringify({ workMs: 2_500 }));
  const config = join(sandbox.home, ".config", "zellij");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.kdl"), `theme "${colours}"\nshow_startup_tips false\n`);
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const pty = spawn(
    process.execPath,
    [join(process.cwd(), "bin", "ovld.cjs"), "practice", wish, "--army", "army"],
    {
      cols: COLUMNS,
      rows: ROWS,
      cwd: sandbox.home,
      env: {
        ...sandbox.env,
        PATH: `${join(zellij, "..")}:${sandbox.env["PATH"]}`,
        ZELLIJ_SOCKET_DIR: join(sandbox.root, "s"),
        OVLD_PRACTICE_SCRIPT: script,
        TERM: "xterm-256color",
        COLORTERM: "truecolor",
      },
    },
  );
  const ended = new Promise<void>((resolve) => {
    pty.onExit(() => resolve());
  });
  sandbox.defer(async () => {
    pty.kill("SIGTERM");
    await ended;
  });
  pty.onData((text) => terminal.write(text));
  await waitUntil("the wish is heard", () => textOf(terminal).includes(wish), { timeout: 60_000 });
  const began = performance.now();
  const frames: Frame[] = [];
  const film = (): void => {
    const rows = drawRows(terminal, theme);
    const last = frames.at(-1);
    if (last?.rows.join() !== rows.join()) frames.push({ at: last ? performance.now() - began : 0, rows });
  };
  const camera = setInterval(film, EVERY_MS);
  try {
    for (const { tab, until } of SIGHTS) {
      // Ctrl-t begins a command about tabs.
      pty.write("\u0014");
      await pause(300);
      pty.write(String(tab));
      await waitUntil(until, () => textOf(terminal).includes(until), { timeout: 60_000 });
      await pause(1_500);
    }
  } catch (error) {
    throw new Error(`The screen shows: ${textOf(terminal)}`, { cause: error });
  } finally {
    clearInterval(camera);
  }
  film();
  return drawFilm(frames, COLUMNS, wish, theme);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function textOf({ buffer, rows }: xterm.Terminal): string {
  const lines = Array.from({ length: rows }, (_, row) => buffer.active.getLine(row)?.translateToString(true));
  return lines.join(" ").replaceAll(/\s+/g, " ");
}
