/**
 * What relays say about themselves and their agents. While a relay runs, it keeps a file with its own identity and its
 * agent's; and one file per role reports about the agent and its bell, for senders and for the person.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { AGENT_STATES, EVIDENCE, HOLD_REASONS, RITUAL_WAITS, WAYS } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { cleanLine, shorten } from "../../system/clean-text.ts";
import { listFolder } from "../../system/paths.ts";
import { isProcessAlive, isProcessIdentity, type ProcessIdentity } from "../../system/process.ts";
import { readRecord, writeRecord } from "../../system/record.ts";
import { cacheFolder, cacheUnchanged } from "../store/cache-unchanged.ts";
import { LIMITS } from "../store/message.ts";
import { asideFor, saveRecord, type Store } from "../store/store.ts";
import { tryTo } from "../../system/file-error.ts";

/** A process identity in a record; with any other value the record is invalid. */
export function processIdentity(): z.ZodMiniCustom<ProcessIdentity> {
  return z.custom<ProcessIdentity>((value) => typeof value === "string" && isProcessIdentity(value));
}

const presenceFile = lazily(() =>
  z.object({
    role: z.enum(ROLES),
    relay: processIdentity(),
    /** Only if an agent of this army started the relay. */
    agent: z.optional(processIdentity()),
    /** If a role has two relays, the elder one runs the bell. */
    since: z.optional(z.string()),
  }),
);

export type Presence = z.infer<ReturnType<typeof presenceFile>>;

export function announce(store: Store, presence: Presence): void {
  const { presence: folder } = store.paths;
  const relays = listFolder(folder).filter(isProcessIdentity);
  for (const relay of relays) if (!isProcessAlive(relay)) withdraw(store, relay);
  const since = new Date(store.now()).toISOString();
  saveRecord(store, join(folder, presence.relay), { ...presence, since });
}

export function withdraw(store: Store, relay: ProcessIdentity): void {
  // A dead relay's file does no harm.
  tryTo(() => rmSync(join(store.paths.presence, relay), { force: true }));
}

/** Every relay that has announced itself and not withdrawn, dead or alive. */
export function readPresences(store: Store): Presence[] {
  return presencesIn(store.paths.presence);
}

const presencesIn = cacheFolder((folder) =>
  readdirSync(folder)
    .filter(isProcessIdentity)
    .flatMap((relay) => readRecord(join(folder, relay), presenceFile()) ?? []),
);

/** Another machine may say anything: what ends up on a terminal or with an agent is clean, and short. */
export function shortLine(most: number) {
  return z.pipe(
    z.string(),
    z.transform((text) => shorten(cleanLine(text), most)),
  );
}

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
    waitingFor: z.optional(shortLine(LIMITS.taskCharacters)),
    /** The error that ended its last turn, and when the limit is lifted, if that is known. */
    failure: z.optional(
      z.object({ error: shortLine(LIMITS.taskCharacters), until: z.optional(z.iso.datetime()) }),
    ),
    /** The number of its Zellij pane. */
    pane: z.optional(z.int()),
    /** What the ritual is waiting for; absent if the agent has its ritual or needs none. */
    ritualWait: z.optional(z.enum(RITUAL_WAITS)),
    bell: bellReport(),
    /** How far the talk has come that its agent is in; absent if it has worked since. */
    talk: z.optional(z.int().check(z.positive())),
    /** The newest message the bell has decided about. */
    heard: z.optional(z.string()),
  }),
);

export type AgentReport = z.infer<ReturnType<typeof agentReport>>;

/** Never recreates a store that is being removed, as `access` would: this is a report, not mail. */
export function writeAgentReport(store: Store, report: AgentReport): void {
  // The mail works without the report.
  tryTo(() => {
    // The report describes a process, which a power cut ends as well.
    writeRecord(store.paths.agent(report.role), report, { aside: asideFor(store), lasting: false });
  });
}

/** The last report about a role's agent; undefined if there is none. Changes nothing in the store. */
export function readAgentReport(store: Store, role: Role): AgentReport | undefined {
  const report = reportIn(store.paths.agent(role));
  if (report === undefined || isProcessAlive(report.relay)) return report;
  // The relay that wrote it is dead, so the report is out of date.
  return { ...report, state: "gone", evidence: "none" };
}

const reportIn = cacheUnchanged((path) => readRecord(path, agentReport()));
