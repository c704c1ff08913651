/**
 * Asks the person whether to run a command, as Claude Code does: the question is in the pane, the call of the hook is
 * open meanwhile, and the first answer counts.
 */
import { appendFileSync } from "node:fs";
import type { Decision } from "./hooks.ts";
import type { Performer } from "./perform.ts";

interface Answer {
  by: "pane" | "outside";
  decision: Decision;
}

/** The danger in every agent program: an Enter that was meant for the composer answers yes here. */
export async function askToRun(
  performer: Performer,
  { command, ran }: { command: string; ran?: string | undefined },
  turnOver: AbortController,
): Promise<void> {
  const { stage, record, allowedForGood } = performer;
  if (!allowedForGood.has(command)) {
    record({ event: "asked", command });
    const { by, decision } = await firstAnswer(performer, command);
    if (decision.behavior === "deny") {
      record({ event: "refused", command, by });
      // As in Claude Code, a refusal in the pane ends the turn, and one from outside does not.
      if (by === "outside") return stage.note(decision.message ?? "");
      turnOver.abort();
      turnOver.signal.throwIfAborted();
    } else if (decision.updatedPermissions !== undefined) allowedForGood.add(command);
    record({ event: "approved", command, by });
  }
  if (ran !== undefined) appendFileSync(ran, `${command}\n`);
  await performer.allowed(command);
}

async function firstAnswer({ stage, texts, asking }: Performer, command: string): Promise<Answer> {
  const question = new AbortController();
  const call = new AbortController();
  const answerInPane = async (): Promise<Answer> => {
    const isYes = await stage.ask(texts.askToRun(command), question.signal);
    return { by: "pane", decision: { behavior: isYes ? "allow" : "deny" } };
  };
  const inPane = answerInPane();
  const answerOutside = async (): Promise<Answer> => {
    const decision = await asking(command, call.signal);
    return decision === undefined ? inPane : { by: "outside", decision };
  };
  const first = await Promise.race([inPane, answerOutside()]);
  if (first.by === "outside") question.abort();
  // Like Claude Code, it says nothing of a yes in the pane except by its next hook.
  else if (first.decision.behavior === "deny") call.abort();
  return first;
}
