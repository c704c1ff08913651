/** Archives an army or brings one back, as planned, and kills itself at a step if told to. */
import { archiveArmy, findArchive, type ArchiveStep } from "../../src/summon/archive/archive.ts";
import type { Army } from "../../src/summon/army.ts";
import { bringBack, type ReturnStep } from "../../src/summon/archive/starting-point.ts";
import { removeArmy } from "../../src/summon/end-army.ts";
import { parseSettings } from "../../src/config/settings.ts";

export interface ArchivePlan {
  relayDir: string;
  archiveDir: string;
  /** The archived army to bring back; without it, the army is archived and its store removed. */
  name?: string;
  dieAt?: ArchiveStep | ReturnStep;
}

const { relayDir, archiveDir, name, dieAt }: ArchivePlan = JSON.parse(process.argv[2] ?? "");
const zellij = { program: "zellij", env: {} };
const settings = parseSettings({});
const army: Army = { session: "overlord", relayDir, archiveDir, zellij, version: "missing", settings };

function reach(step: ArchiveStep | ReturnStep): void {
  if (step === dieAt) process.kill(process.pid, "SIGKILL");
}

if (name === undefined) {
  archiveArmy(army, "unsummoned", reach);
  removeArmy(army);
} else bringBack(army, findArchive(archiveDir, name), reach);
