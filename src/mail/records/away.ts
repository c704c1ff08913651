/**
 * What this machine last heard of the roles on other machines, and whether the hub can be reached. A relay writes it;
 * `status` and the tools only read it. So nobody has to wait for a hub to learn what is known.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import { STATUSES } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { cleanLine, shorten } from "../../system/clean-text.ts";
import { readRecord } from "../../system/record.ts";
import { LIMITS } from "../store/message.ts";
import { access, saveRecord, type Store } from "../store/store.ts";
import { agentReport, type AgentReport } from "./agent-report.ts";

/** Another machine may say anything: what ends up on a terminal or with an agent is clean, and short. */
const line = (most: number = MOST_NAME) =>
  z.pipe(
    z.string(),
    z.transform((text) => shorten(cleanLine(text), most)),
  );
const MOST_NAME = 100;

/** What a relay says about its role on the hub's board. */
export const roleNews = lazily(() =>
  z.object({
    /** The version of what machines tell each other. */
    format: z.int(),
    machine: line(),
    /** The computer's own name. */
    host: line(),
    /** Distinguishes two machines that joined with copies of one file. */
    instance: line(),
    status: z.enum(STATUSES),
    task: line(LIMITS.taskCharacters),
    updated: z.nullable(z.iso.datetime()),
    unread: z.int().check(z.nonnegative()),
    agent: z.optional(z.pipe(agentReport(), z.transform(shortenReport))),
  }),
);

function shortenReport({ waitingFor, failure, ...report }: AgentReport): AgentReport {
  const { taskCharacters: most } = LIMITS;
  return {
    ...report,
    ...(waitingFor !== undefined && { waitingFor: shorten(waitingFor, most) }),
    ...(failure !== undefined && { failure: { ...failure, error: shorten(failure.error, most) } }),
  };
}

export type RoleNews = z.infer<ReturnType<typeof roleNews>>;

const awayFile = lazily(() =>
  z.object({
    ...roleNews().shape,
    /** When this machine heard of it, by this machine's clock. */
    heard: z.iso.datetime(),
    /** Nothing has been heard of it for a while: its machine, its link or its relay is gone. */
    isSilent: z.optional(z.literal(true)),
  }),
);

export type Away = z.infer<ReturnType<typeof awayFile>>;

const hubLinkFile = lazily(() =>
  z.object({
    isUp: z.boolean(),
    since: z.iso.datetime(),
    why: z.optional(line(LIMITS.taskCharacters)),
    /** The hub answers, but does not accept this machine's keys. */
    isRefused: z.optional(z.literal(true)),
  }),
);

export type HubLinkNote = z.infer<ReturnType<typeof hubLinkFile>>;

export function readAway(store: Store, role: Role): Away | undefined {
  return readRecord(store.paths.away(role), awayFile());
}

export function writeAway(store: Store, role: Role, away: Away): void {
  write(store, store.paths.away(role), away);
}

export function readHubLink(store: Store): HubLinkNote | undefined {
  return readRecord(store.paths.hubLink, hubLinkFile());
}

export function writeHubLink(store: Store, note: HubLinkNote): void {
  write(store, store.paths.hubLink, note);
}

/** It is only a report of what is the case now, so nothing is synced. */
function write(store: Store, target: string, content: object): void {
  access(store, () => mkdirSync(dirname(target), { recursive: true, mode: 0o700 }));
  saveRecord(store, target, content, false);
}
