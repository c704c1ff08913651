/** Where an army keeps the rituals it was summoned with, and which role has received its ritual in its conversation. */
import { DEFAULT_AGENT } from "../army/words.ts";
import type { ProcessIdentity } from "../system/process.ts";
import { join } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import { readPlainFile } from "../system/read-file.ts";

export const ARMY_RITUALS_FOLDER = "rituals";

type Notes = Pick<Mail, "army" | "conversation" | "recordConversation">;

export function armyRitualFile(relayDir: string, role: Role): string {
  return join(relayDir, ARMY_RITUALS_FOLDER, `${role}.md`);
}

/** Undefined in an army without rituals. */
export function armyRitualText(relayDir: string, role: Role): string | undefined {
  const file = readPlainFile(armyRitualFile(relayDir, role));
  return "text" in file ? file.text : undefined;
}

/** Records that the conversation of this agent process has the ritual; a process that resumes it needs none. */
export function noteRitualGiven(mail: Notes, role: Role, agent: ProcessIdentity): void {
  const now = new Date().toISOString();
  const program = mail.army()?.agent ?? DEFAULT_AGENT;
  const began = { role, program, since: now, agent, started: now, start: "began" } as const;
  mail.recordConversation({ ...(mail.conversation(role, agent) ?? began), ritual: now });
}

/** Whether the role has a ritual that the conversation of its agent, if there is one, has not received. */
export function hasNoRitualYet(
  mail: Notes,
  relayDir: string,
  role: Role,
  agent: ProcessIdentity | undefined,
): boolean {
  const isGiven = agent !== undefined && mail.conversation(role, agent)?.ritual !== undefined;
  return !isGiven && isThere(relayDir, role);
}

/** Whether any role has a ritual that its conversation has not received. */
export function isAnyRitualDue(mail: Notes, relayDir: string): boolean {
  return ROLES.some((role) => mail.conversation(role)?.ritual === undefined && isThere(relayDir, role));
}

/** A folder or a pipe in its place can never be given, and mail must not wait for it. */
function isThere(relayDir: string, role: Role): boolean {
  const file = readPlainFile(armyRitualFile(relayDir, role));
  return !("missing" in file || "broken" in file);
}

/** The role's agent will receive the ritual again, or for the first time. */
export function forgetRitualGiven(mail: Notes, role: Role): void {
  const known = mail.conversation(role);
  if (known) mail.recordConversation({ ...known, ritual: undefined });
}
