/**
 * Types into one pane by its id, so that the text arrives there wherever the focus is, and reads what the pane shows.
 *
 * Zellij reports no error if a pane is gone, so callers look the pane up before typing and look at its screen
 * afterwards.
 */
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/async.ts";
import type { Pane } from "./panes.ts";
import { runZellij, saidBy, type Zellij } from "./zellij.ts";

export interface Typist {
  /** Writes the keys in one piece, so that nothing a person types comes in between. */
  write: (keys: string) => Promise<void>;
  /** The lines of the screen, from top to bottom; with the pane's colours, as a terminal gets them, if wanted. */
  screen: (look?: "plain" | "coloured") => Promise<string[]>;
}

const ATTEMPTS = 3;
const AGAIN_AFTER_MS = 50;

/** Zellij sometimes says this about a session that is alive. Then nothing has reached the pane, and it may be tried again. */
const NOT_REACHED = /no active session|session '.*' not found/i;

export function typistAt(zellij: Zellij, session: string, { id }: Pick<Pane, "id">): Typist {
  const act = async (action: string, ...words: string[]): Promise<string> => {
    const pane = ["--pane-id", `terminal_${id}`];
    for (let attempt = 1; ; attempt += 1) {
      const run = await runZellij(zellij, "--session", session, "action", action, ...pane, ...words);
      if (run.code === 0) return run.stdout;
      const said = saidBy(run);
      if (!NOT_REACHED.test(said) || attempt === ATTEMPTS)
        throw new OvldError({ code: "zellij-refused", facts: { command: action, said } });
      await pause(AGAIN_AFTER_MS);
    }
  };
  return {
    write: async (keys) => void (await act("write-chars", "--", keys)),
    async screen(look = "plain") {
      for (let attempt = 1; ; attempt += 1) {
        const shown = await act("dump-screen", ...(look === "coloured" ? ["--ansi"] : []));
        // Zellij sometimes returns an empty screen although the pane shows something.
        if (shown.trim() !== "" || attempt === ATTEMPTS)
          return shown.split("\n").map((line) => line.trimEnd());
        await pause(AGAIN_AFTER_MS);
      }
    },
  };
}
