/** The agent's terminal: reads raw keys, writes whole frames, and restores everything on leaving. */
import { styleText } from "node:util";
import { drawScreen, usableSize, type View } from "./draw-screen.ts";
import { createKeyReader, type Key } from "./read-keys.ts";
import { padToWidth } from "../../terminal/text-width.ts";

export interface Terminal {
  /** Draws this at the next opportunity. */
  show(view: View): void;
  leave(): void;
}

export interface TerminalListener {
  /** The keys of one read. */
  keys(keys: Key[]): void;
  /** The input is closed, so no more keys can arrive. */
  closed(): void;
}

const ENTER_SCREEN = "\u001b[?1049h\u001b[?7l\u001b[?2004h\u001b[2J";
const LEAVE_SCREEN = "\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l";
const CLEAR = "\u001b[2J";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

/**
 * A little colour at the beginning of a line shows its kind at a glance; the text itself keeps the person's own
 * colours.
 */
const TINTS: readonly (readonly [RegExp, Parameters<typeof styleText>[0]])[] = [
  [/^●/, "green"],
  [/^❯/, "cyan"],
  [/^✻ …/, "yellow"],
  [/^(└|›).*/, "gray"],
  [/^─+$/, "gray"],
];

export function openTerminal(listener: TerminalListener, { coloured }: { coloured: boolean }): Terminal {
  const { stdin, stdout } = process;
  const reader = createKeyReader();
  let view: View | undefined;
  let painted: string[] | undefined;
  let planned = false;
  const paint = (): void => {
    planned = false;
    if (!view) return;
    const size = { columns: stdout.columns ?? 0, rows: stdout.rows ?? 0 };
    const { lines, cursor } = drawScreen(view, size);
    const { columns } = usableSize(size);
    // Pads with spaces instead of erasing, so that another program reading the screen sees either the old line or the
    // new.
    const padded = lines.map((line) => padToWidth(line, columns));
    const changed = padded.map((line, row) =>
      painted?.[row] === line ? "" : `${moveTo(row + 1, 1)}${coloured ? tint(line) : line}`,
    );
    const place = cursor ? `${moveTo(cursor.row, cursor.column)}${SHOW_CURSOR}` : "";
    stdout.write(`${HIDE_CURSOR}${painted ? "" : CLEAR}${changed.join("")}${place}`);
    painted = padded;
  };
  const plan = (): void => {
    if (planned) return;
    planned = true;
    setImmediate(paint);
  };
  // If the terminal is gone, the end of its input or a signal reports it.
  stdout.on("error", () => {});
  stdin.on("error", () => listener.closed());
  stdin.on("end", () => listener.closed());
  stdin.on("data", (bytes: Buffer) => listener.keys(reader.read(bytes)));
  stdout.on("resize", () => {
    painted = undefined;
    plan();
  });
  if (stdin.isTTY) stdin.setRawMode(true);
  stdout.write(ENTER_SCREEN);
  return {
    show(next) {
      view = next;
      plan();
    },
    leave() {
      view = undefined;
      if (stdin.isTTY) stdin.setRawMode(false);
      stdin.destroy();
      stdout.write(LEAVE_SCREEN);
    },
  };
}

function tint(line: string): string {
  const [pattern, colour] = TINTS.find(([each]) => each.test(line)) ?? [];
  return pattern === undefined || colour === undefined
    ? line
    : line.replace(pattern, (start) => styleText(colour, start, { validateStream: false }));
}

function moveTo(row: number, column: number): string {
  return `\u001b[${row};${column}H`;
}
