/** The agent as a person sees it: what it has said, its composer and its question, and what the person does there. */
import { cleanForScreen } from "../../system/clean-text.ts";
import { draftOf, EMPTY_COMPOSER, pressKey, type Deed, type ComposerState } from "./press-key.ts";
import type { View } from "./draw-screen.ts";
import type { Key } from "./read-keys.ts";
import { openTerminal } from "./terminal.ts";

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
  const refresh = (): void => terminal.show({ ...composer, ...shown } satisfies View);
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
