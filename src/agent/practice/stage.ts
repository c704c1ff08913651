/**
 * The agent as a person sees it on its terminal: what it has said, its composer and its question; and what the person
 * does there. It reads raw keys, writes whole frames, and restores everything on leaving.
 */
import { styleText } from "node:util";
import { cleanForScreen } from "../../system/clean-text.ts";
import { terminalColumns, terminalRows } from "../../terminal/terminal.ts";
import { padToWidth } from "../../terminal/text-width.ts";
import { drawScreen, type View } from "./draw-screen.ts";
import { createKeyReader, draftOf, EMPTY_COMPOSER, pressKey, type Deed } from "./composer.ts";

/** What the person has done: sent a prompt, changed the draft, interrupted the turn, or left. */
export interface StageListener {
  submit(prompt: string): void;
  draft(text: string): void;
  interrupt(): void;
  leave(): void;
}

/** As many entries as a screen can reasonably show. */
const KEPT_ENTRIES = 500;

const ENTER_SCREEN = "\u001b[?1049h\u001b[?7l\u001b[?2004h\u001b[2J";
const LEAVE_SCREEN = "\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l";
const CLEAR = "\u001b[2J";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

export type AgentStage = ReturnType<typeof openStage>;

export function openStage(listener: StageListener, { coloured }: { coloured: boolean }) {
  const { stdin, stdout } = process;
  const readKeys = createKeyReader();
  let view: View = { ...EMPTY_COMPOSER, transcript: [], busy: false, queued: [] };
  let answer: ((yes: boolean) => void) | undefined;
  let painted: string[] | undefined;
  let isPlanned = false;
  let isOpen = true;
  const paint = (): void => {
    isPlanned = false;
    if (!isOpen) return;
    const size = { columns: terminalColumns(), rows: terminalRows() };
    const { lines, cursor } = drawScreen(view, size);
    // Pads with spaces instead of erasing, so that another program reading the screen sees either the old line or the
    // new.
    const padded = lines.map((line) => padToWidth(line, size.columns));
    const changed = padded.map((line, row) =>
      painted?.[row] === line ? "" : `${moveTo(row + 1, 1)}${coloured ? tint(line) : line}`,
    );
    const place = cursor ? `${moveTo(cursor.row, cursor.column)}${SHOW_CURSOR}` : "";
    stdout.write(`${HIDE_CURSOR}${painted ? "" : CLEAR}${changed.join("")}${place}`);
    painted = padded;
  };
  /** The screen follows at the next opportunity. */
  const change = (changed: Partial<View>): void => {
    view = { ...view, ...changed };
    if (!isPlanned) setImmediate(paint);
    isPlanned = true;
  };
  const add = (mark: string, text: string): void =>
    change({ transcript: [...view.transcript, `${mark} ${cleanForScreen(text)}`].slice(-KEPT_ENTRIES) });
  const act = (deed: Deed): void => {
    if (deed.deed === "submit") return listener.submit(deed.prompt);
    if (deed.deed !== "answer") return listener[deed.deed]();
    change({ question: undefined });
    answer?.(deed.yes);
  };
  stdin.on("data", (bytes: Buffer) => {
    const before = view.draft.text;
    for (const key of readKeys(bytes)) {
      const { composer, deed } = pressKey(view, key);
      change(composer);
      if (deed) act(deed);
    }
    if (view.draft.text !== before) listener.draft(view.draft.text);
  });
  for (const end of ["error", "end"]) stdin.on(end, () => listener.leave());
  // If the terminal is gone, the end of its input or a signal reports it.
  stdout.on("error", () => {});
  stdout.on("resize", () => {
    painted = undefined;
    change({});
  });
  if (stdin.isTTY) stdin.setRawMode(true);
  stdout.write(ENTER_SCREEN);
  change({});
  return {
    /** One entry of the transcript. */
    say: (text: string) => add("●", text),
    /** The person's words, as submitted. */
    quote: (text: string) => add("❯", text),
    /** What a tool or a hook returned. */
    note: (text: string) => add("└", text),
    show: (turns: Pick<View, "busy" | "queued">) => change(turns),
    setDraft(text: string) {
      change({ draft: draftOf(text) });
      listener.draft(text);
    },
    /** Opens the yes/no question in place of the composer, until it is answered or withdrawn. */
    ask(lines: readonly string[], withdrawn: AbortSignal): Promise<boolean> {
      change({ question: { lines, chosen: "yes" } });
      withdrawn.addEventListener("abort", () => change({ question: undefined }));
      return new Promise((resolve) => (answer = resolve));
    },
    leave() {
      isOpen = false;
      if (stdin.isTTY) stdin.setRawMode(false);
      stdin.destroy();
      stdout.write(LEAVE_SCREEN);
    },
  };
}

/**
 * A little colour at the beginning of a line shows its kind at a glance; the text itself keeps the person's own
 * colours.
 */
const TINTS = [
  [/^●/, "green"],
  [/^❯/, "cyan"],
  [/^✻ …/, "yellow"],
  [/^[└›].*|^─+$/, "gray"],
] as const;

function tint(line: string): string {
  const [pattern, colour] = TINTS.find(([each]) => each.test(line)) ?? ["", "reset"];
  return line.replace(pattern, (start) => start && styleText(colour, start, { validateStream: false }));
}

function moveTo(row: number, column: number): string {
  return `\u001b[${row};${column}H`;
}
