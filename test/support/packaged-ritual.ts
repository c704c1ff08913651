/** The prompts that come with ovld, as their files have them and as a role is given them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../src/army/roles.ts";
import type { Language } from "../../src/army/words.ts";
import { joinRitual, type RitualPlaces } from "../../src/rituals/load-rituals.ts";

export const TREES = { target: "ovld/overlord", campaign: "/home/person/project/.ovld/campaign.md" };

export function packagedFolder(language: Language): string {
  return join(process.cwd(), language === "ja" ? "rituals/ja" : "rituals");
}

export function packagedFile(name: string, language: Language = "en"): string {
  return readFileSync(join(packagedFolder(language), `${name}.md`), "utf8");
}

export function packagedRitual(role: Role, language: Language = "en", places?: RitualPlaces): string {
  return joinRitual(packagedFile(role, language), packagedFile("shared", language), places);
}
