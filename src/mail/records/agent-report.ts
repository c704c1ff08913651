/**
 * What a relay reports about its agent and its bell, for senders and for the person: one file per role, always
 * replaced as a whole.
 */
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { AGENT_STATES, EVIDENCE, HOLD_REASONS, RITUAL_WAITS, WAYS } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { isProcessAlive, type ProcessIdentity } from "../../system/process.ts";
import { readRecord, writeRecord } from "../../system/record.ts";
import { cacheUnchanged } from "../store/cache-unchanged.ts";
import { asideFor, type Store } from "../store/store.ts";
import { processIdentity } from "./presence.ts";

const bellReport = lazily(() =>
  z.discriminatedUnion("state", [
    /** There is nothing to ring for. */
    z.object({ state: z.literal("quiet") }),
    /** Rung, but no turn has been seen to begin yet. */
    z.object({ state: z.literal("rung"), way: z.enum(WAYS), at: z.iso.datetime(), attempt: z.int() }),
    /** A turn has begun since; the mail is still unread. */
    z.object({ state: z.literal("begun"), way: z.enum(WAYS), at: z.iso.datetime(), attempt: z.int() }),
    /** Not rung for now. */
    z.object({ state: z.literal("held"), why: z.enum(HOLD_REASONS), at: z.iso.datetime() }),
    /** Rung repeatedly without an answer; the bell keeps trying, but rarely. */
    z.object({ state: z.literal("unanswered"), at: z.iso.datetime(), attempt: z.int() }),
  ]),
);

export type BellReport = z.infer<ReturnType<typeof bellReport>>;

export const agentReport = lazily(() =>
  z.object({
    role: z.enum(ROLES),
    relay: processIdentity(),
    agent: z.optional(processIdentity()),
    state: z.enum(AGENT_STATES),
    /** When it entered that state. */
    since: z.iso.datetime(),
    evidence: z.enum(EVIDENCE),
    /** What it is asking the person for. */
    waitingFor: z.optional(z.pipe(z.string(), z.transform(cleanLine))),
    /** The error that ended its last turn, and when the limit is lifted, if that is known. */
    failure: z.optional(
      z.object({ error: z.pipe(z.string(), z.transform(cleanLine)), until: z.optional(z.iso.datetime()) }),
    ),
    /** The number of its Zellij pane. */
    pane: z.optional(z.int()),
    /** What the ritual is waiting for; absent if the agent has its ritual or needs none. */
    ritualWait: z.optional(z.enum(RITUAL_WAITS)),
    bell: bellReport(),
    /** The newest message the bell has decided about. */
    heard: z.optional(z.string()),
  }),
);

export type AgentReport = z.infer<ReturnType<typeof agentReport>>;

/** Never recreates a store that is being removed, as `access` would: this is a report, not mail. */
export function writeAgentReport(store: Store, report: AgentReport): void {
  try {
    // The report describes a process, which a power cut ends as well.
    writeRecord(store.paths.agent(report.role), report, { aside: asideFor(store), lasting: false });
  } catch {
    // The mail works without the report.
  }
}

/** The last report about a role's agent; undefined if there is none. Changes nothing in the store. */
export function readAgentReport(store: Store, role: Role): AgentReport | undefined {
  const report = reportIn(store.paths.agent(role));
  if (report === undefined || isStillAlive(report.relay)) return report;
  // The relay that wrote it is dead, so the report is out of date.
  return { ...report, state: "gone", evidence: "none" };
}

const reportIn = cacheUnchanged((path) => readRecord(path, agentReport()));

/** Each message sent reads its recipient's report; checking its writer costs more than reading it. */
const BELIEVED_ALIVE_MS = 100;
const seenAlive = new Map<ProcessIdentity, number>();

function isStillAlive(relay: ProcessIdentity): boolean {
  if (performance.now() < (seenAlive.get(relay) ?? -Infinity) + BELIEVED_ALIVE_MS) return true;
  seenAlive.delete(relay);
  if (!isProcessAlive(relay)) return false;
  seenAlive.set(relay, performance.now());
  return true;
}
