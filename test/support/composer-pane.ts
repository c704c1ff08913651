/** An in-memory pane with the practice agent's own composer, for a person and for code that submits prompts. */
import { claudeScreen } from "../../src/agent/claude/claude-screen.ts";
import { drawScreen, type Size } from "../../src/agent/practice/draw-screen.ts";
import {
  createKeyReader,
  EMPTY_COMPOSER,
  pressKey,
  type ComposerState,
  unfold,
} from "../../src/agent/practice/composer.ts";
import type { PromptPane } from "../../src/agent/submit-prompt.ts";

export interface ComposerPane extends PromptPane {
  /** What a person types. */
  press(keys: string): void;
  /** What was sent, and by whose Enter. */
  sent: { by: "person" | "us"; prompt: string }[];
  draft(): string;
  /** How many actions of ours there were so far. */
  steps(): number;
}

/** `between` is called before each action of ours, with its number. */
export function openComposer(
  size: Size = { columns: 80, rows: 30 },
  between: (step: number, pane: ComposerPane) => void = () => {},
): ComposerPane {
  const readKeys = createKeyReader();
  let composer: ComposerState = EMPTY_COMPOSER;
  let step = 0;
  const take = (by: "person" | "us", input: string): void => {
    for (const key of readKeys(Buffer.from(input))) {
      const pressed = pressKey(composer, key);
      composer = pressed.composer;
      if (pressed.deed?.deed === "submit") pane.sent.push({ by, prompt: pressed.deed.prompt });
    }
  };
  const next = (): void => {
    between(step, pane);
    step += 1;
  };
  const pane: ComposerPane = {
    sent: [],
    memory: {},
    agentScreen: claudeScreen,
    cursorRow: undefined,
    whyNot: () => undefined,
    // As a hook would report.
    isTaken: () => pane.sent.some(({ by }) => by === "us"),
    async write(input) {
      next();
      take("us", input);
    },
    async screen() {
      next();
      return drawScreen({ ...composer, transcript: [], busy: false, queued: [] }, size).lines;
    },
    press: (input) => take("person", input),
    draft: () => unfold(composer.draft),
    steps: () => step,
  };
  return pane;
}
