/**
 * Makes a role's prompt from its file. Pure.
 *
 * A line `{{shared}}` stands for what all six have in common. A line with `{{trees}}` is only for an army
 * with trees, one with `{{one tree}}` only for an army without. `{{target}}` is the branch on which work
 * lands, `{{campaign}}` the file of the order and the plan. A file without these marks is used as it is.
 */
export interface RitualPlaces {
  target: string;
  campaign: string;
}

const SHARED = /^\{\{shared\}\}$/m;
const ONLY_FOR = /\{\{(trees|one tree)\}\} ?/;
/** Relative to the folder that all six share. */
const CAMPAIGN = ".ovld/campaign.md";

export function takesShared(text: string): boolean {
  return SHARED.test(text);
}

/** `places` is undefined for an army without trees. */
export function joinRitual(text: string, shared: string, places: RitualPlaces | undefined): string {
  const { target = "", campaign = CAMPAIGN } = places ?? {};
  const kind = places === undefined ? "one tree" : "trees";
  return text
    .replace(SHARED, () => shared.trim())
    .split("\n")
    .filter((line) => (ONLY_FOR.exec(line)?.[1] ?? kind) === kind)
    .map((line) => line.replace(ONLY_FOR, ""))
    .join("\n")
    .replaceAll("{{target}}", () => target)
    .replaceAll("{{campaign}}", () => campaign);
}
