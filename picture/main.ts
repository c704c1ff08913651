/**
 * `npm run picture`: draws docs/army.svg from a real practice run, as its terminal shows it, and photographs the desk.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { zellijCandidates } from "../src/zellij/version.ts";
import { makeSandbox } from "../test/support/sandbox.ts";
import { waitUntil } from "../test/support/wait-until.ts";
import { photographDesk } from "./photograph-desk.ts";
import { drawScreen } from "./draw-screen.ts";

const COLUMNS = 110;
const ROWS = 32;
const WISH = "A tea house where dragons feel at home";
/** What the overlord's pane shows at the end of the campaign. */
const OVER = "All four have reported";

await using sandbox = makeSandbox();
const [zellij = "zellij"] = zellijCandidates(process.env);
const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
const env = {
  ...sandbox.env,
  PATH: `${join(zellij, "..")}:${sandbox.env["PATH"]}`,
  ZELLIJ_SOCKET_DIR: join(sandbox.root, "s"),
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
};
const program = join(process.cwd(), "bin", "ovld.cjs");
const pty = spawn(process.execPath, [program, "practice", WISH, "--army", "army"], {
  cols: COLUMNS,
  rows: ROWS,
  cwd: sandbox.home,
  env,
});
const ended = new Promise<void>((resolve) => {
  pty.onExit(() => resolve());
});
sandbox.defer(async () => {
  pty.kill("SIGTERM");
  await ended;
});
pty.onData((text) => terminal.write(text));
await waitUntil("the wish is fulfilled", () => textOf(terminal).includes(OVER), { timeout: 120_000 });
// The rest of the screen is drawn shortly after these words.
await new Promise((resolve) => setTimeout(resolve, 1_000));
writeFileSync(join(process.cwd(), "docs", "army.svg"), drawScreen(terminal));
console.error("drawn: docs/army.svg");
process.env["OVLD_TEST_ZELLIJ"] ??= zellij;
await photographDesk(WISH, join(process.cwd(), "docs"));

function textOf({ buffer, rows }: xterm.Terminal): string {
  const lines = Array.from({ length: rows }, (_, row) => buffer.active.getLine(row)?.translateToString(true));
  return lines.join(" ").replaceAll(/\s+/g, " ");
}
