/**
 * Typing into one pane, by its id, so that it lands there wherever the focus is; and reading what it shows.
 *
 * Zellij says nothing when a pane is gone: who types looks the pane up before and at its screen afterwards.
 */
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/pause.ts";
import type { Pane } from "./panes.ts";
import { runZellij, saidBy, type Zellij } from "./zellij.ts";

export interface Typist {
  /** In one piece: nothing a person types comes between. */
  write: (keys: string) => Promise<void>;
  /** The lines of the screen, from top to bottom. */
  screen: () => Promise<string[]>;
}

const ATTEMPTS = 3;
const ATTEMPT_EVERY_MS = 50;

export function typistAt(zellij: Zellij, session: string, { id }: Pick<Pane, "id">): Typist {
  const act = async (action: string, ...words: string[]): Promise<string> => {
    const pane = ["--pane-id", `terminal_${id}`];
    const run = await runZellij(zellij, "--session", session, "action", action, ...pane, ...words);
    if (run.code === 0) return run.stdout;
    throw new OvldError({ code: "zellij-refused", facts: { command: action, said: saidBy(run) } });
  };
  return {
    write: async (keys) => void (await act("write-chars", "--", keys)),
    async screen() {
      for (let attempt = 1; ; attempt += 1) {
        const shown = await act("dump-screen");
        // Zellij shows nothing now and then, which does not mean that the pane does.
        if (shown.trim() !== "" || attempt === ATTEMPTS)
          return shown.split("\n").map((line) => line.trimEnd());
        await pause(ATTEMPT_EVERY_MS);
      }
    },
  };
}
