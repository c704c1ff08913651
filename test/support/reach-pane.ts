/** A pane of a real session, and what a person at it can do and see, whatever program runs in it. */
import { claudeScreen } from "../../src/agent/claude/claude-screen.ts";
import { waitUntil } from "./wait-until.ts";
import type { ZellijWorld } from "./zellij.ts";

const KEYS = { enter: "\r", escape: "\u001b", backspace: "\u007f", no: "4" } as const;

export interface Pane {
  /** Its name for Zellij, found once: it stays the same when the pane is given another title. */
  id(): Promise<string>;
  /** Any action of Zellij on this pane. */
  act(action: string, ...words: string[]): Promise<string>;
  type(keys: string): Promise<void>;
  /** When keys were last typed here; how long the look before and after takes does not count. */
  lastTypedAt(): number;
  press(key: keyof typeof KEYS): Promise<void>;
  /** Types a prompt and sends it. */
  say(prompt: string): Promise<void>;
  /** Answers a dialog. It ignores keys at first, so the key is pressed until the dialog is gone. */
  answer(key: keyof typeof KEYS): Promise<void>;
  screen(): Promise<string>;
  /** What is in its composer; undefined if it shows none. */
  composer(): Promise<string | undefined>;
}

export function reachPane(
  world: Pick<ZellijWorld, "zellij" | "panes">,
  title: string,
  session: string,
): Pane {
  let known: string | undefined;
  let typedAt = 0;
  /** Whether there is text in its composer. */
  const stands = async (): Promise<boolean> => Boolean(await pane.composer());
  /** Whether a dialog is drawn instead of the composer. */
  const isDrawn = async (): Promise<boolean> => (await pane.composer()) === undefined;
  const pane: Pane = {
    async id() {
      const look = async (): Promise<boolean> => {
        const found = (await world.panes(session)).find((each) => each.title === title);
        if (found !== undefined) known = `terminal_${found.id}`;
        return known !== undefined;
      };
      if (known === undefined) await waitUntil(`session ${session} has a pane called ${title}`, look);
      return known ?? "";
    },
    async act(action, ...words) {
      const target = ["--pane-id", await pane.id()];
      return (await world.zellij("--session", session, "action", action, ...target, ...words)).stdout;
    },
    async type(keys) {
      typedAt = Date.now();
      await pane.act("write-chars", "--", keys);
    },
    lastTypedAt: () => typedAt,
    press: (key) => pane.type(KEYS[key]),
    async say(prompt) {
      // Zellij sometimes loses what is typed; a person would see that and type it again.
      for (let attempt = 1; attempt <= 3 && !(await stands()); attempt += 1) {
        await pane.type(prompt);
        await waitUntil("it is typed", stands, { timeout: 4_000 }).catch(() => {});
      }
      await new Promise((resolve) => setTimeout(resolve, 150));
      for (let attempt = 1; attempt <= 3 && (await stands()); attempt += 1) {
        await pane.press("enter");
        await waitUntil("it is sent", async () => !(await stands()), { timeout: 2_000 }).catch(() => {});
      }
    },
    async answer(key) {
      await waitUntil("the dialog is drawn", isDrawn);
      for (let attempt = 0; attempt < 10 && (await isDrawn()); attempt += 1) {
        // The dialog ignores keys for its first half second.
        await new Promise((resolve) => setTimeout(resolve, 600));
        if (await isDrawn()) await pane.press(key);
        await waitUntil("the dialog has gone", async () => !(await isDrawn()), { timeout: 1_500 }).catch(
          () => {},
        );
      }
    },
    async screen() {
      // Zellij sometimes returns an empty screen although the pane shows something.
      for (let attempt = 1; ; attempt += 1) {
        const shown = await pane.act("dump-screen");
        if (shown.trim() !== "" || attempt === 5) return shown;
      }
    },
    composer: async () => claudeScreen.readComposer((await pane.screen()).split("\n")),
  };
  return pane;
}
