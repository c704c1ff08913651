/** The rituals as commands use them: which ones they are, and waiting until the relays have given them. */
import { resolve } from "node:path";
import type { Role } from "../army/roles.ts";
import type { RitualWait } from "../army/words.ts";
import type { CommandContext } from "../command/command-context.ts";
import { ritualsFolder } from "../config/folders.ts";
import type { Settings } from "../config/settings.ts";
import { formatWait } from "../i18n/sentences.ts";
import { openMail } from "../mail/mail.ts";
import {
  awaitRituals,
  RITUALS_STILL_FOR_MS,
  type RitualResult,
  type RitualSight,
} from "../rituals/await-rituals.ts";
import { loadRituals, type LoadedRituals } from "../rituals/load-rituals.ts";
import { shellWord } from "../system/text.ts";
import type { Army } from "./army.ts";
import type { SummonFlags } from "./plan-army.ts";
import { wasConversationInUse } from "./restart-agents.ts";

/** Writes nothing. A `rituals/` folder in the project is ignored: a project must not choose the prompts. */
export function chooseRituals(
  context: CommandContext,
  { rituals, noRituals }: Pick<SummonFlags, "rituals" | "noRituals">,
  { rituals: { folder } }: Settings,
): LoadedRituals {
  if (noRituals) return { sources: [], texts: new Map(), toFill: [], problems: [] };
  if (rituals !== undefined) return loadRituals(resolve(context.cwd, rituals));
  const usual = ritualsFolder(context.env);
  if (folder !== undefined && folder !== usual) return loadRituals(folder);
  return loadRituals(usual, { program: context.ovld.file, language: context.texts.language });
}

/** `now` does not wait; `waits` waits and reports what roles wait for. */
export function awaitArmyRituals(
  context: CommandContext,
  { zellij, session, relayDir }: Army,
  roles: Iterable<Role>,
  how: "now" | "waits",
): Promise<RitualResult[]> {
  const army = { zellij, session, relayDir, mail: openMail(relayDir), roles: [...roles] };
  if (how === "now") return awaitRituals({ ...army, patienceMs: 0, stop: new AbortController().signal });
  const onWait = (waiting: Role[], { waits, words }: RitualSight): void => {
    if (!QUESTIONS.has(waits)) return;
    const clause = formatWait(waits, words, context.texts);
    const way = context.texts.session.attachLater(session);
    context.print("stderr", `${context.texts.rituals.waits(waiting, clause)} ${way}\n`);
  };
  return awaitRituals({ ...army, patienceMs: RITUALS_STILL_FOR_MS, onWait, stop: context.stop });
}

/** Only a person can answer these, so they are reported at once; the others may pass by themselves. */
const QUESTIONS: ReadonlySet<RitualWait> = new Set([
  "trust",
  "api-key",
  "login",
  "bypass",
  "asks-first",
  "asking",
  "no-composer",
  "not-taken-back",
]);

/** One line for all roles that wait for the same thing, with what helps. */
export function printMissingRituals(
  context: CommandContext,
  { session }: Pick<Army, "session">,
  results: readonly RitualResult[],
): void {
  const texts = context.texts.rituals;
  const without = results.filter(({ outcome }) => outcome !== "given");
  const clauses = new Map<string, Role[]>();
  for (const { role, why = "starting", words } of without) {
    const clause = formatWait(why, words, context.texts);
    clauses.set(clause, [...(clauses.get(clause) ?? []), role]);
  }
  for (const [clause, roles] of clauses) context.print("stderr", `${texts.without(roles, clause)}\n`);
  if (without.length > 0) {
    const roles = without.map(({ role }) => role).join(" ");
    context.print("stderr", `${texts.follows(`ovld rituals give ${roles} --army ${shellWord(session)}`)}\n`);
  }
}

export function wereAllGiven(results: readonly RitualResult[]): boolean {
  return results.every(({ outcome }) => outcome === "given");
}

/** Names the roles whose conversation another process has, and returns the others. */
export function printRefusedConversations(
  { print, texts }: CommandContext,
  { relayDir }: Army,
  results: readonly RitualResult[],
): RitualResult[] {
  const mail = openMail(relayDir);
  const { summoned } = mail.army() ?? {};
  return results.filter(({ role, why }) => {
    const isRefused =
      why === "pane-ended" && summoned !== undefined && wasConversationInUse(mail, role, summoned);
    if (isRefused) print("stderr", `ovld: ${texts.conversation.restarts["in-use"](role)}\n`);
    return !isRefused;
  });
}
