/** Asks the person at the terminal about every request that is open, one after the other, and gives their answers. */
import type { Role } from "../../../army/roles.ts";
import { EXIT, sayLine, signalCode, type CommandContext } from "../../../command/command-context.ts";
import { type RequestBox, type StoredRequest, openRequests } from "../../../requests/request-box.ts";
import type { RequestEnd } from "../../../mail/records/request.ts";
import { answerRequest, type AnswerOutcome } from "../../../requests/answer-request.ts";
import { knownArmies } from "../../../summon/army.ts";
import { ask, discardTyped } from "../../../terminal/ask.ts";
import { createPaint, wantsColour } from "../../../terminal/paint.ts";
import { terminalColumns } from "../../../terminal/terminal.ts";
import { askPerson } from "./ask-person.ts";
import type { RequestLook } from "./print-request.ts";

export interface Asking {
  session: string;
  relayDir: string;
  box: RequestBox;
}

export function requestsOf({ box }: Asking, role: Role | undefined): StoredRequest[] {
  return openRequests(box).filter(({ request }) => role === undefined || request.role === role);
}

export interface Asked {
  exitCode: number;
  /** What became of each request, as the person was told. */
  told: string[];
}

/**
 * One after the other, and those that come up in the meantime, until the person has seen all of them. What was typed
 * before a request was on the screen does not answer it.
 */
export async function askForAll(
  context: CommandContext,
  asking: Asking,
  role: Role | undefined,
): Promise<Asked> {
  const { answer: texts } = context.texts;
  const seen = new Set<string>();
  const told: string[] = [];
  const next = (): StoredRequest | undefined =>
    requestsOf(asking, role).find(({ request }) => !seen.has(request.id));
  for (let stored = next(); stored !== undefined; stored = next()) {
    if (seen.size > 0) await discardTyped(context.stop);
    const { request } = stored;
    seen.add(request.id);
    const gone = watchEnd(asking, stored, context.stop);
    try {
      const says = await askPerson(context, request, lookOf(context, asking), gone.signal);
      if (says === "stop") break;
      if (says === "later") continue;
      const outcome = await answerRequest(asking.box, stored, { from: "terminal", verdict: says });
      told.push(tellOutcome(context, request.role, outcome));
      sayLine(context, told.at(-1) ?? "");
    } catch (error) {
      if (context.stop.aborted) return { exitCode: signalCode(context.stop), told };
      if (!gone.signal.aborted) throw error;
      const outcome = outcomeOf(asking.box.endOf(request.role, request.id));
      told.push(tellOutcome(context, request.role, outcome));
      sayLine(context, `\n${told.at(-1)}`);
      // The person may be typing an answer to the request that has gone, and must not give it to the next one.
      if (next() !== undefined && (await ask(texts.next, context.stop)) === undefined) break;
    } finally {
      gone.close();
    }
  }
  if (seen.size === 0) sayLine(context, role === undefined ? texts.nothing : texts.noneOf(role));
  return { exitCode: EXIT.done, told };
}

const LOOK_EVERY_MS = 200;

/** Aborted when the request is no longer open, or when the process is asked to end. */
function watchEnd(asking: Asking, { request }: StoredRequest, stop: AbortSignal) {
  const gone = new AbortController();
  const timer = setInterval(() => {
    if (!requestsOf(asking, request.role).some((each) => each.request.id === request.id)) gone.abort();
  }, LOOK_EVERY_MS);
  return { signal: AbortSignal.any([gone.signal, stop]), close: () => clearInterval(timer) };
}

export function tellOutcome({ texts }: CommandContext, role: Role, outcome: AnswerOutcome): string {
  const { outcomes } = texts.answer;
  return outcome.outcome === "already" ? outcomes.already(role, outcome.by) : outcomes[outcome.outcome](role);
}

export function lookOf(
  { env, texts, hasScreen, now }: CommandContext,
  { session }: Pick<Asking, "session">,
): RequestLook {
  return {
    texts,
    army: knownArmies(env).length > 1 ? session : undefined,
    paint: createPaint(wantsColour(env, hasScreen)),
    columns: hasScreen ? terminalColumns() : undefined,
    now: now(),
  };
}

export function outcomeOf(end: RequestEnd | undefined): AnswerOutcome {
  return end === undefined || end.by === "gone" ? { outcome: "gone" } : { outcome: "already", by: end.by };
}
