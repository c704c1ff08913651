/** A full-screen picture that is redrawn in place, with a footer that always stays visible. */
import { steer } from "./print.ts";
import { cutToWidth, wrapPainted } from "./text-width.ts";
import { writeSync } from "node:fs";
import { cleanForScreen, cleanLine } from "../system/clean-text.ts";
import { tryTo } from "../system/file-error.ts";

export interface Drawing {
  draw(picture: string, footer: string): void;
  end(): void;
}

export interface Canvas {
  write: (text: string) => void;
  size: () => { columns: number; rows: number };
  /** What stands for lines that do not fit. */
  more: (lines: number) => string;
}

/** What is pasted comes between two marks, so that it cannot be taken for keys. */
const BEGIN = steer("?1049h") + steer("?25l") + steer("?2004h");
const HOME = steer("H");
const CLEAR_LINE = steer("K");
const CLEAR_BELOW = steer("J");
const END = steer("?2004l") + steer("?25h") + steer("?1049l");

export function beginDrawing({ write, size, more }: Canvas): Drawing {
  let isDrawing = true;
  const end = (): void => {
    if (isDrawing) write(END);
    isDrawing = false;
    process.off("exit", end);
  };
  process.on("exit", end);
  write(BEGIN);
  return {
    draw(picture, footer) {
      const { columns, rows } = size();
      const below = footer === "" ? [] : linesOf(footer, columns);
      // One line more than there are would scroll the picture away.
      const room = Math.max(1, rows - below.length);
      const lines = linesOf(picture, columns);
      const left = lines.length - room + 1;
      const shown = left > 1 ? [...lines.slice(0, room - 1), cutToWidth(more(left), columns)] : lines;
      // Cleared first: after the last column of a line, clearing would take its last character away.
      const drawn = [...shown, ...below].slice(0, rows).map((line) => CLEAR_LINE + line);
      write(`${HOME}${drawn.join("\n")}${drawn.length < rows ? `\n${CLEAR_BELOW}` : ""}`);
    },
    end,
  };
}

function linesOf(text: string, columns: number): string[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrapPainted(line, columns));
}

/** For a terminal that cannot move its cursor: every new picture is printed below the last one. */
export function beginPrinting({ write }: Pick<Canvas, "write">): Drawing {
  let last = "";
  return {
    draw(picture, footer) {
      const now = [picture.trimEnd(), footer].filter((part) => part !== "").join("\n");
      if (now !== last) write(`${now}\n`);
      last = now;
    },
    end() {},
  };
}

/**
 * Has the person's terminal show a desktop notification (OSC 9). Most terminals that cannot show one ignore it, and
 * Zellij passes it on. Only for a terminal that this process draws on. The text must not begin with a digit: some
 * terminals read that as another command.
 */
export function notifyOnTerminal(text: string): void {
  // The terminal is full or gone; the picture says the same.
  tryTo(() => writeSync(1, `\u001b]9;${cleanLine(cleanForScreen(text))}\u0007`));
}
