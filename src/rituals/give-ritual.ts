/** Gives one role its ritual if its agent is ready, with the pauses that let a pane follow. */
import { readComposer } from "../agent/composer.ts";
import type { Role } from "../army/roles.ts";
import type { RitualOutcome, RitualWait } from "../mail/journal.ts";
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/pause.ts";
import { focusPane } from "../zellij/focus.ts";
import { findPane, type Pane } from "../zellij/panes.ts";
import { typistAt } from "../zellij/typing.ts";
import { hasTakenPrompt } from "./evidence.ts";
import { lookAtAgent, type Field } from "./look-at-agent.ts";
import { typeRitual, type Desk } from "./type-ritual.ts";

export type Attempt = { outcome: RitualOutcome } | { waits: RitualWait };

export interface Giving extends Field {
  /** Whether a person who watches is led to the pane. */
  focus: boolean;
  stop: AbortSignal;
}

const BEFORE_WRITING_MS = 500;

/** The caller has found the agent ready; it is looked at again after the pause, just before anything is typed. */
export async function giveRitual(giving: Giving, role: Role, text: string): Promise<Attempt> {
  const { zellij, session, mail, focus, stop } = giving;
  const watching = { ...giving, zellij: { ...zellij, stop } };
  if (focus) await focusPane(watching.zellij, session, role);
  await pause(BEFORE_WRITING_MS, stop);
  return mail.whileTyping(role, stop, async () => {
    const sight = await lookAtAgent(watching, role, "closely");
    if (stop.aborted) return { outcome: "interrupted" };
    return "ready" in sight ? { outcome: await typeInto(giving, role, sight.ready, text) } : sight;
  });
}

/** From here on nothing is left half done: these calls of Zellij run to their end. */
async function typeInto(giving: Giving, role: Role, pane: Pane, text: string): Promise<RitualOutcome> {
  const { zellij, session, mail, stop } = giving;
  const typist = typistAt(zellij, session, pane);
  const before = mail.agentReport(role);
  const gone = new AbortController();
  const desk: Desk = {
    write: (words) => evenIfRefused(typist.write(words)),
    pressEnter: () => evenIfRefused(typist.pressEnter()),
    async composer() {
      const screen = await evenIfRefused(typist.screen());
      if (screen === undefined && typeof (await findPane(zellij, session, role)) === "string") gone.abort();
      return readComposer(screen ?? []);
    },
    isTaken: () => hasTakenPrompt(before, mail.agentReport(role)),
    stop: AbortSignal.any([stop, gone.signal]),
  };
  const outcome = await typeRitual(desk, text);
  if (outcome === "given") return outcome;
  const found = await findPane(zellij, session, role);
  return typeof found === "string" ? found : outcome;
}

/** Zellij refuses now and then when it has much to do, and nobody can tell what it did before. */
async function evenIfRefused<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof OvldError) return undefined;
    throw error;
  }
}
