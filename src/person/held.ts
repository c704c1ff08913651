/** Mail that wakes nobody until the person decides: what is held, and what they say about it. */
import { ROLES, type Role, type Sender, type Spender } from "../army/roles.ts";
import { reachedFor } from "../bell/judge-budget.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import type { Mail } from "../mail/mail.ts";
import { isStopped } from "../mail/records/decision.ts";
import type { ArmyMail } from "../summon/army.ts";
import { ask } from "../terminal/ask.ts";
import { budgetOf, decideAboutBudget } from "./budget.ts";

/** What the brake holds for a role. */
export interface Braked {
  from: Sender[];
  /** How many messages were exchanged before it. */
  messages: number;
  /** The person has said that it stays held. */
  isStopped: boolean;
}

/** Null if the brake holds nothing for this role. */
export function brakedMail(mail: Mail, role: Role): Braked | null {
  const { bell } = mail.agentReport(role) ?? {};
  if (bell?.state !== "held" || bell.why !== "brake") return null;
  const ids = mail.unread(role, { handedOut: true });
  const headers = mail.headers(role, ids);
  if (headers.length === 0) return null;
  const decision = mail.brakeDecision(role);
  return {
    from: [...new Set(headers.map(({ from }) => from))],
    messages: Math.min(...headers.map(({ talk = 1 }) => talk)) - 1,
    isStopped: ids.every((id) => isStopped(decision, id)),
  };
}

/** Go on: what is held wakes its reader, and the count begins anew. Stop: it stays held. */
export type HeldVerdict = "go" | "stop";

/** False if nothing is held for this role. */
export function decideAboutHeld(army: ArmyMail, role: Role, says: HeldVerdict): boolean {
  const { mail } = army;
  if (decideAboutBudget(army, role, says)) return true;
  if (brakedMail(mail, role) === null) return false;
  mail.recordBrakeDecision(role, { says, ids: mail.unread(role, { handedOut: true }) });
  return true;
}

export type HeldEntry =
  | ({ role: Role; kind: "brake" } & Pick<Braked, "from" | "messages">)
  | { role: Role; kind: "budget"; spender: Spender; uncounted: readonly Role[] };

/** What waits for the person's word, for one role or for all. */
export function listHeld(army: ArmyMail, only?: Role): HeldEntry[] {
  const budget = budgetOf(army);
  return ROLES.filter((role) => only === undefined || role === only).flatMap((role): HeldEntry[] => {
    const braked = brakedMail(army.mail, role);
    const spender = reachedFor(budget, role);
    const uncounted = (spender && budget?.[spender].uncounted) ?? [];
    return [
      ...(spender === undefined ? [] : [{ role, kind: "budget", spender, uncounted } as const]),
      ...(braked === null || braked.isStopped ? [] : [{ role, kind: "brake", ...braked } as const]),
    ];
  });
}

export function formatHeld({ texts }: CommandContext, entry: HeldEntry): string {
  const { needs } = texts.status;
  return entry.kind === "brake"
    ? needs.brake(entry.role, entry.from, entry.messages)
    : needs.budget(entry.spender, entry.uncounted);
}

export function formatDecided({ texts }: CommandContext, role: Role, says: HeldVerdict): string {
  return texts.answer.held[says](role);
}

/** Asks about one after the other. Returns what the person was told; undefined if they want to stop. */
export async function askAboutHeld(
  context: CommandContext,
  army: ArmyMail,
  held: readonly HeldEntry[],
): Promise<string[] | undefined> {
  const { answer: texts } = context.texts;
  const told: string[] = [];
  for (const entry of held) {
    sayLine(context, `\n${formatHeld(context, entry)}`);
    for (;;) {
      const word = (await ask(texts.prompts.held, context.stop))?.trim().toLowerCase();
      if (word === undefined || word === "q") return undefined;
      if (word === "") break;
      if (word === "y" || word === "n") {
        const says = word === "y" ? "go" : "stop";
        const isHeld = decideAboutHeld(army, entry.role, says);
        told.push(isHeld ? formatDecided(context, entry.role, says) : texts.noneOf(entry.role));
        sayLine(context, told.at(-1) ?? "");
        break;
      }
      sayLine(context, texts.notUnderstood);
    }
  }
  return told;
}
