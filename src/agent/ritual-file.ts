/** Where an army keeps the rituals it was summoned with, and which agent has received each. */
import type { ProcessIdentity } from "../system/process-identity.ts";
import { existsSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import { requireOwnFolders } from "../mail/own-folders.ts";
import { asideBeside, replaceFile } from "../system/durable-files.ts";
import { readPlainFile } from "../system/read-plain-file.ts";

export const ARMY_RITUALS_FOLDER = "rituals";

export function armyRitualFile(relayDir: string, role: Role): string {
  return join(relayDir, ARMY_RITUALS_FOLDER, `${role}.md`);
}

/** Records that this agent process has its ritual. The next process in its pane will need it again. */
export function noteRitualGiven(relayDir: string, role: Role, agent: ProcessIdentity): void {
  const target = givenFile(relayDir, role);
  requireOwnFolders(relayDir, [dirname(target)]);
  replaceFile({ aside: asideBeside(target), target, content: `${agent}\n` });
}

const MOST_NOTE_BYTES = 1024;

function wasRitualGiven(relayDir: string, role: Role, agent: ProcessIdentity): boolean {
  const file = readPlainFile(givenFile(relayDir, role), MOST_NOTE_BYTES);
  return "text" in file && file.text.trim() === agent;
}

/** Whether the role has a ritual that its agent, if there is one, has not received. */
export function hasNoRitualYet(relayDir: string, role: Role, agent: ProcessIdentity | undefined): boolean {
  if (!existsSync(armyRitualFile(relayDir, role))) return false;
  return agent === undefined || !wasRitualGiven(relayDir, role, agent);
}

/** Whether any role has a ritual that has not been given since it was written. */
export function isAnyRitualDue(relayDir: string): boolean {
  return ROLES.some((role) => {
    const written = timeOf(armyRitualFile(relayDir, role));
    return written !== undefined && written > (timeOf(givenFile(relayDir, role)) ?? 0);
  });
}

function timeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** The role's agent will receive the ritual again, or for the first time. */
export function forgetRitualGiven(relayDir: string, role: Role): void {
  rmSync(givenFile(relayDir, role), { force: true });
}

function givenFile(relayDir: string, role: Role): string {
  return join(relayDir, ARMY_RITUALS_FOLDER, `${role}.given`);
}
