/** What a relay knows of its agent and of its bell, for senders and for the person: one file per role, replaced whole. */
import { AGENT_STATES, EVIDENCE, HOLD_REASONS, RITUAL_WAITS, WAYS } from "../army/words.ts";
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import { cleanLine } from "../system/clean-text.ts";
import { lazily } from "../system/lazily.ts";
import { replaceFile } from "../system/durable-files.ts";
import { isProcessAlive } from "../system/process-identity.ts";
import { asideFor } from "./aside.ts";
import { LIMITS } from "./limits.ts";
import { processIdentity } from "./process-field.ts";
import { requireOwnFolders } from "./own-folders.ts";
import { readPlainFile } from "../system/read-plain-file.ts";
import type { Store } from "./store.ts";

const bellReport = lazily(() =>
  z.discriminatedUnion("state", [
    /** Nothing to ring for. */
    z.object({ state: z.literal("quiet") }),
    /** Rung; nobody has seen a turn begin yet. */
    z.object({ state: z.literal("rung"), way: z.enum(WAYS), at: z.iso.datetime(), attempt: z.int() }),
    /** A turn has begun since; the mail is not read yet. */
    z.object({ state: z.literal("begun"), way: z.enum(WAYS), at: z.iso.datetime(), attempt: z.int() }),
    /** Not rung for now. */
    z.object({ state: z.literal("held"), why: z.enum(HOLD_REASONS), at: z.iso.datetime() }),
    /** Rung again and again without an answer; tried on, but rarely. */
    z.object({ state: z.literal("unanswered"), at: z.iso.datetime(), attempt: z.int() }),
  ]),
);

export type BellReport = z.infer<ReturnType<typeof bellReport>>;

const agentReport = lazily(() =>
  z.object({
    role: z.enum(ROLES),
    relay: processIdentity(),
    agent: z.optional(processIdentity()),
    state: z.enum(AGENT_STATES),
    /** Since when it is in that state. */
    since: z.iso.datetime(),
    evidence: z.enum(EVIDENCE),
    /** What it asks a person for. */
    waitingFor: z.optional(z.pipe(z.string(), z.transform(cleanLine))),
    /** What its last turn died of, and when a limit is lifted, if that was said. */
    failure: z.optional(
      z.object({ error: z.pipe(z.string(), z.transform(cleanLine)), until: z.optional(z.iso.datetime()) }),
    ),
    /** The number of its Zellij pane. */
    pane: z.optional(z.int()),
    /** What it waits for with its ritual; absent if it has one or needs none. */
    ritualWait: z.optional(z.enum(RITUAL_WAITS)),
    bell: bellReport(),
    /** The newest message the bell has decided about. */
    heard: z.optional(z.string()),
  }),
);

export type AgentReport = z.infer<ReturnType<typeof agentReport>>;

/** Never brings back a store that is being taken down, as an access would: it is a report, not mail. */
export function writeAgentReport(store: Store, report: AgentReport): void {
  const content = `${JSON.stringify(report)}\n`;
  store.reports.set(report.role, content);
  try {
    requireOwnFolders(store.paths.root, [store.paths.agents, store.paths.tmp]);
    replaceFile({
      aside: asideFor(store),
      target: store.paths.agent(report.role),
      content,
      // It is about a process: what a power cut takes is out of date anyway.
      lasting: false,
    });
  } catch {
    // The mail goes through without it.
  }
}

/** Whether the report that this process wrote last stands as it was: anybody may have put another in its place. */
export function isReportIntact(store: Store, role: Role): boolean {
  const file = readPlainFile(store.paths.agent(role), LIMITS.messageFileBytes);
  return "text" in file && file.text === store.reports.get(role);
}

/** The last word about a role's agent; undefined if there never was one. Looks without touching. */
export function readAgentReport(store: Store, role: Role): AgentReport | undefined {
  const file = readPlainFile(store.paths.agent(role), LIMITS.messageFileBytes);
  if (!("text" in file)) return undefined;
  const known = lastRead.get(role);
  if (known?.text === file.text && performance.now() < known.until) return known.report;
  const report = parse(file.text);
  if (report?.role !== role) return undefined;
  // Whoever wrote it is dead: what it said of the agent is history.
  if (!isProcessAlive(report.relay)) return { ...report, state: "gone", evidence: "none" };
  lastRead.set(role, { text: file.text, report, until: performance.now() + BELIEVED_ALIVE_MS });
  return report;
}

/** Every message sent asks for its reader's report: taking one apart and looking for its writer cost more than reading it. */
const BELIEVED_ALIVE_MS = 100;
const lastRead = new Map<Role, { text: string; report: AgentReport; until: number }>();

function parse(text: string): AgentReport | undefined {
  try {
    return agentReport().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
