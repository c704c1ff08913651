/** The terminal of `ovld status --watch`: draws on it, reads its keys, and gives it back as it was. */
import type { CommandContext } from "../../../command/command-context.ts";
import { pause } from "../../../system/async.ts";
import { discardTyped } from "../../../terminal/ask.ts";
import { listenForKeys } from "../../../terminal/listen-for-keys.ts";
import { beginDrawing, beginPrinting, type Drawing } from "../../../terminal/redraw.ts";
import { terminalColumns, terminalRows } from "../../../terminal/terminal.ts";

export interface WatchScreen {
  draw: Drawing["draw"];
  /** Undefined if there was none in that time, or if the terminal has another size now. */
  nextKey(withinMs: number): Promise<string | undefined>;
  /** Gives the terminal to somebody who asks the person something. */
  aside<Result>(act: () => Promise<Result>): Promise<Result>;
  close(): void;
}

const size = () => ({ columns: terminalColumns(), rows: terminalRows() });

export function openScreen({ env, texts, stop, hasTerminal, print }: CommandContext): WatchScreen {
  const write = (text: string): void => void print("stdout", text);
  const more = (lines: number): string => texts.status.keys.more(lines);
  const pressed: string[] = [];
  let wake = new AbortController();
  const wakeUp = (): void => wake.abort();
  const open = () => ({
    drawing: env["TERM"] === "dumb" ? beginPrinting({ write }) : beginDrawing({ write, size, more }),
    keys: hasTerminal
      ? listenForKeys((key) => {
          pressed.push(key);
          wakeUp();
        })
      : undefined,
  });
  let on = open();
  process.stdout.on("resize", wakeUp);
  process.on("SIGCONT", wakeUp);
  const leave = (): void => {
    on.keys?.close();
    on.drawing.end();
  };
  return {
    draw: (picture, footer) => on.drawing.draw(picture, footer),
    async nextKey(withinMs) {
      if (pressed.length === 0) await pause(withinMs, AbortSignal.any([stop, wake.signal]));
      wake = new AbortController();
      return pressed.shift();
    },
    async aside(act) {
      leave();
      // Nothing that was typed so far was meant for the questions that come now.
      await discardTyped(stop);
      try {
        return await act();
      } finally {
        pressed.length = 0;
        on = open();
      }
    },
    close() {
      process.stdout.off("resize", wakeUp);
      process.off("SIGCONT", wakeUp);
      leave();
    },
  };
}
