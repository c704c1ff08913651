/** Telling the person what became of the rituals. */
import type { Role } from "../army/roles.ts";
import { RITUAL_TEXTS, type RitualTexts } from "../i18n/ritual-texts.ts";
import type { RitualWait } from "../mail/journal.ts";
import type { RitualResult } from "../rituals/inject-rituals.ts";
import type { LoadedRituals } from "../rituals/load-rituals.ts";
import { sayLine, type Machine } from "./machine.ts";

/** What only a person can answer is told at once; the rest may pass by itself. */
const QUESTIONS: ReadonlySet<RitualWait> = new Set(["trust", "api-key", "login", "bypass", "asking"]);

export function tellWaits(machine: Machine): (role: Role, waits: RitualWait) => void {
  const texts = RITUAL_TEXTS[machine.language];
  return (role, waits) => {
    if (QUESTIONS.has(waits)) machine.print("stderr", `${texts.waits(role, texts.waiting[waits])}\n`);
  };
}

/** One line a role that went without, and how to give it later. */
export function tellRituals(machine: Machine, session: string, results: readonly RitualResult[]): void {
  const texts = RITUAL_TEXTS[machine.language];
  const without = results.filter(({ outcome }) => outcome !== "given");
  for (const result of without) {
    machine.print("stderr", `${texts.without(result.role, reasonOf(texts, result))}\n`);
  }
  const roles = without.map(({ role }) => role).join(" ");
  if (roles !== "")
    machine.print("stderr", `${texts.giveLater(`ovld ritual ${roles} --session ${session}`)}\n`);
}

export function wereAllGiven(results: readonly RitualResult[]): boolean {
  return results.every(({ outcome }) => outcome === "given");
}

export function showSources(machine: Machine, { sources }: LoadedRituals): void {
  const texts = RITUAL_TEXTS[machine.language];
  if (sources.length === 0) sayLine(machine, texts.none);
  for (const { role, path, startsAs } of sources) {
    sayLine(
      machine,
      startsAs === undefined ? texts.wouldUse(role, path) : texts.wouldFill(role, path, startsAs),
    );
  }
}

function reasonOf(texts: RitualTexts, { outcome, why }: RitualResult): string {
  if (outcome === "given") return "";
  if (outcome !== "not-ready") return texts.outcomes[outcome];
  return why === undefined ? texts.waiting.starting : texts.waiting[why];
}
