/** Runs one turn after another: what is submitted during a turn waits for its end. */
import type { HookName } from "../claude/hooks.ts";
import type { EventData } from "./hooks.ts";
import type { Recorder, TurnStep } from "./script.ts";

/** What starts a turn: a prompt, and the script's steps that replace the play, if any. */
export interface Turn {
  prompt: string;
  steps?: readonly TurnStep[] | undefined;
}

export interface TurnWork {
  perform(turn: Turn, turnOver: AbortController): Promise<void>;
  /** Returns what the hooks add to the conversation. */
  fire(event: HookName, data: EventData): Promise<string | undefined>;
  begun(turn: Turn): void;
  /** The work was interrupted or failed. */
  broken(error: unknown, interrupted: boolean): void;
  /** The turn is over: all its work was done, or the person does not want it done. */
  ended(): void;
  changed(now: { busy: boolean; waiting: readonly string[] }): void;
  record: Recorder;
}

export interface Turns {
  submit(turn: Turn): void;
  interrupt(): void;
}

export function takeTurns(work: TurnWork): Turns {
  const queue: Turn[] = [];
  let current: AbortController | undefined;
  const show = (): void =>
    work.changed({ busy: current !== undefined, waiting: queue.map(({ prompt }) => prompt) });
  const runAll = async (): Promise<void> => {
    for (let turn = queue.shift(); turn; turn = queue.shift()) {
      current = new AbortController();
      show();
      await runTurn(work, turn, current);
      current = undefined;
    }
    show();
  };
  return {
    submit(turn) {
      queue.push(turn);
      if (current) show();
      else void runAll();
    },
    interrupt: () => current?.abort(),
  };
}

async function runTurn(work: TurnWork, turn: Turn, turnOver: AbortController): Promise<void> {
  const { record } = work;
  record({ event: "turn begun", prompt: turn.prompt });
  work.begun(turn);
  await work.fire("UserPromptSubmit", { prompt: turn.prompt });
  try {
    await performAll(work, turn, turnOver);
    work.ended();
    record({ event: "turn ended", how: "done" });
  } catch (error) {
    const interrupted = turnOver.signal.aborted;
    work.broken(error, interrupted);
    if (interrupted) work.ended();
    await work.fire("StopFailure", { error: interrupted ? "interrupted" : "unknown" });
    record({ event: "turn ended", how: interrupted ? "interrupted" : "failed" });
  }
}

/** As in Claude Code: after this many times in a row, a hook can no longer keep a turn going. */
const MOST_CONTINUATIONS = 8;

/** A turn ends when its Stop hook adds nothing. */
async function performAll(work: TurnWork, turn: Turn, turnOver: AbortController): Promise<void> {
  let now: Turn | undefined = turn;
  for (let continuations = 0; now; continuations += 1) {
    await work.perform(now, turnOver);
    turnOver.signal.throwIfAborted();
    const more: string | undefined = await work.fire("Stop", {});
    now = more !== undefined && continuations < MOST_CONTINUATIONS ? { prompt: more } : undefined;
  }
}
