/**
 * The agent as a person sees it on its terminal: what it has said, its composer and its question; and what the person
 * does there. It reads raw keys, writes whole frames, and restores everything on leaving.
 */
import { styleText } from "node:util";
import { cleanForScreen } from "../../system/clean-text.ts";
import { padToWidth } from "../../terminal/text-width.ts";
import { drawScreen, usableSize, type View } from "./draw-screen.ts";
import { draftOf, EMPTY_COMPOSER, pressKey, type ComposerState, type Deed } from "./press-key.ts";
import { createKeyReader, type Key } from "./read-keys.ts";

export interface Stage {
  /** One entry of the transcript. */
  say(text: string): void;
  /** The person's words, as submitted. */
  quote(text: string): void;
  /** What a tool or a hook returned. */
  note(text: string): void;
  setBusy(busy: boolean): void;
  setQueue(prompts: readonly string[]): void;
  setDraft(text: string): void;
  /** Opens the yes/no question in place of the composer, until it is answered or withdrawn. */
  ask(lines: readonly string[], withdrawn: AbortSignal): Promise<boolean>;
  leave(): void;
}

export interface StageListener {
  submitted(prompt: string): void;
  interrupted(): void;
  /** The draft has changed. */
  drafted(text: string): void;
  leaving(): void;
}

/** As many entries as a screen can reasonably show. */
const KEPT_ENTRIES = 500;

export function openStage(listener: StageListener, look: { coloured: boolean }): Stage {
  let composer: ComposerState = EMPTY_COMPOSER;
  let answer: ((yes: boolean) => void) | undefined;
  const shown = { transcript: new Array<string>(), busy: false, queued: new Array<string>() };
  const terminal = openTerminal({ keys: press, closed: () => listener.leaving() }, look);
  const refresh = (): void => terminal.show({ ...composer, ...shown });
  const add = (mark: string, text: string): void => {
    shown.transcript = [...shown.transcript, `${mark} ${cleanForScreen(text)}`].slice(-KEPT_ENTRIES);
    refresh();
  };
  function press(keys: Key[]): void {
    const before = composer.draft.text;
    for (const key of keys) {
      const pressed = pressKey(composer, key);
      composer = pressed.composer;
      if (pressed.deed) act(pressed.deed);
    }
    if (composer.draft.text !== before) listener.drafted(composer.draft.text);
    refresh();
  }
  function act(deed: Deed): void {
    switch (deed.deed) {
      case "submit":
        return listener.submitted(deed.prompt);
      case "answer":
        composer = { ...composer, question: undefined };
        return answer?.(deed.yes);
      case "interrupt":
        return listener.interrupted();
      case "leave":
        return listener.leaving();
    }
  }
  refresh();
  return {
    say: (text) => add("●", text),
    quote: (text) => add("❯", text),
    note: (text) => add("└", text),
    setBusy(busy) {
      shown.busy = busy;
      refresh();
    },
    setQueue(prompts) {
      shown.queued = [...prompts];
      refresh();
    },
    setDraft(text) {
      composer = { ...composer, draft: draftOf(text) };
      listener.drafted(text);
      refresh();
    },
    ask(lines, withdrawn) {
      composer = { ...composer, question: { lines, chosen: "yes" } };
      refresh();
      withdrawn.addEventListener("abort", () => {
        composer = { ...composer, question: undefined };
        refresh();
      });
      return new Promise((resolve) => (answer = resolve));
    },
    leave: () => terminal.leave(),
  };
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

interface Terminal {
  /** Draws this at the next opportunity. */
  show(view: View): void;
  leave(): void;
}

interface TerminalListener {
  /** The keys of one read. */
  keys(keys: Key[]): void;
  /** The input is closed, so no more keys can arrive. */
  closed(): void;
}

function openTerminal(listener: TerminalListener, { coloured }: { coloured: boolean }): Terminal {
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
