/** What can be seen of an army from outside before and after a power cut, in its store alone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES, type Recipient, type Role } from "../../src/army/roles.ts";
import type { Conversation } from "../../src/mail/records/conversation.ts";
import type { JournalEntry } from "../../src/mail/journal/journal-entry.ts";
import { openMail } from "../../src/mail/mail.ts";
import { CUT_OFF_SUBJECT } from "../../src/relay/announce-return.ts";
import { readLines } from "../../test/support/read-lines.ts";
import type { ZellijWorld } from "../../test/support/zellij.ts";

function conversationOf(relayDir: string, role: Role): Conversation {
  const found = openMail(relayDir).conversation(role);
  if (typeof found !== "object") throw new Error(`${role} has no conversation`);
  return found;
}

export const idsNow = (relayDir: string): Map<Role, string | undefined> =>
  new Map(ROLES.map((role) => [role, conversationOf(relayDir, role).id]));

export const journalOf = (relayDir: string): JournalEntry[] =>
  readLines<JournalEntry>(join(relayDir, "journal.jsonl"));

/** How long a summon took. */
export interface Opening {
  /** Until every role had an agent of its own with a relay. */
  startedMs: number;
  /** Until mail could wake every role: an agent is not woken before it has its ritual. */
  readyMs: number;
}

export async function timeSummon(world: ZellijWorld, ...flags: string[]): Promise<Opening> {
  const began = new Date().toISOString();
  const from = performance.now();
  const summoning = world.ovld("summon", "--detached", ...flags);
  let startedMs: number | undefined;
  let readyMs: number | undefined;
  while (readyMs === undefined && performance.now() - from < 180_000) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const now = performance.now() - from;
    if (isOpen(world.relayDir(), began)) startedMs ??= now;
    if (isOpen(world.relayDir(), began, ({ ritual }) => ritual !== undefined)) readyMs = now;
  }
  const { code, stdout, stderr } = await summoning;
  if (code !== 0 || readyMs === undefined) throw new Error(`summon ended with ${code}: ${stdout}${stderr}`);
  return { startedMs: startedMs ?? readyMs, readyMs };
}

function isOpen(
  relayDir: string,
  began: string,
  isSo: (conversation: Conversation) => boolean = () => true,
): boolean {
  const mail = openMail(relayDir);
  return ROLES.every((role) => {
    const [conversation, report] = [mail.conversation(role), mail.agentReport(role)];
    if (typeof conversation !== "object" || conversation.started < began || !isSo(conversation)) return false;
    return report !== undefined && report.state !== "gone" && report.agent === conversation.agent;
  });
}

/** The roles that were at something when the power went: their relays' last word, if it was not only just said. */
export function busyAtCut(relayDir: string, cutAt: number): Set<Role> {
  return new Set(
    ROLES.filter((role) => {
      const { state, since } = JSON.parse(readFileSync(join(relayDir, "agents", `${role}.json`), "utf8"));
      return (state === "busy" || state === "asking") && cutAt - Date.parse(since) > JUST_MS;
    }),
  );
}

/** A prompt that was submitted this short before may not be in a transcript; its mail is rung for again. */
const JUST_MS = 700;

/** Ids that were read more than once without a mark. */
export function readTwice(entries: readonly JournalEntry[]): string[] {
  const ids = entries.flatMap((entry) => (entry.event === "read" && !entry.redelivered ? [entry.id] : []));
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

/** How often each role was told that it was cut off, since then. */
export function toldSince(entries: readonly JournalEntry[], since: string): Map<Role, number> {
  const told = entries.flatMap((entry) =>
    entry.event === "stored" &&
    entry.from === "ovld" &&
    entry.at >= since &&
    entry.subject === CUT_OFF_SUBJECT
      ? [entry.to]
      : [],
  );
  return new Map(ROLES.map((role) => [role, told.filter((to) => to === role).length]));
}

/**
 * The roles that were woken anew by mail they had not read before. If such a role was busy, then with a turn so young
 * that its agent program had not kept the prompt: it was not cut off in anything, and begins with the mail.
 */
export function wokenAnew(entries: readonly JournalEntry[], since: string): Set<Recipient> {
  const before = new Set<string>();
  const woken = new Set<Recipient>();
  for (const entry of entries) {
    if (entry.event !== "read") continue;
    if (entry.at < since) before.add(entry.id);
    else if (!before.has(entry.id) && isStoredBefore(entries, entry.id, since)) woken.add(entry.role);
  }
  return woken;
}

function isStoredBefore(entries: readonly JournalEntry[], id: string, since: string): boolean {
  return entries.some((entry) => entry.event === "stored" && entry.id === id && entry.at < since);
}

/** What explains a fault: what the journal says about the role since then, its last report, and how its transcript ends. */
export function lookClosely(relayDir: string, role: Role, since: string): string {
  const { transcript } = conversationOf(relayDir, role);
  const lines =
    transcript === undefined
      ? []
      : readFileSync(transcript, "utf8").trimEnd().split("\n").slice(-SHOWN_LINES);
  const entries = journalOf(relayDir).filter((entry) => entry.at >= since && mentions(entry, role));
  return JSON.stringify({
    journal: entries,
    report: readFileSync(join(relayDir, "agents", `${role}.json`), "utf8"),
    transcript: lines.map((line) => line.slice(0, SHOWN_OF_A_LINE)),
  });
}

const SHOWN_LINES = 12;
const SHOWN_OF_A_LINE = 600;

function mentions(entry: JournalEntry, role: Role): boolean {
  return ("role" in entry && entry.role === role) || ("to" in entry && entry.to === role);
}
