/**
 * Which conversation each role is in: one file per role, always replaced as a whole and synced. After a crash or a
 * reboot, the role's next agent finds its conversation here.
 *
 * It is written by the program that starts the agent, before the agent starts, and by the agent's own relay, which
 * follows it into another conversation.
 */
import * as z from "zod/mini";
import { ROLES, SENDERS, type Role } from "../../army/roles.ts";
import { AGENT_NAMES, BEGINNINGS, CUT_OFF_IN, STARTS } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { cleanLine } from "../../system/clean-text.ts";
import type { ProcessIdentity } from "../../system/process.ts";
import { examineRecord, readRecord } from "../../system/record.ts";
import { saveRecord, type Store } from "../store/store.ts";
import { processIdentity } from "./agent-report.ts";

const conversationFile = lazily(() => {
  const line = z.pipe(z.string(), z.transform(cleanLine));
  const readMail = z.array(z.object({ id: line, from: z.enum(SENDERS) }));
  return z.object({
    role: z.enum(ROLES),
    /** The agent program that keeps it; no other can resume it. */
    program: z.enum(AGENT_NAMES),
    /** The program's own id for it, a UUID, because anything else could be taken for a flag; absent if not known yet. */
    id: z.optional(z.guid()),
    /** The file in which the program keeps it, if known. */
    transcript: z.optional(z.string()),
    /** The program's own folder, by the environment it was started in. */
    programFolder: z.optional(z.string()),
    /** When it began, as far as ovld knows. */
    since: z.iso.datetime(),
    /** The process that has the conversation, dead or alive. */
    agent: z.optional(processIdentity()),
    /** When that process was started, and whether it resumed the conversation or began it. */
    started: z.iso.datetime(),
    start: z.enum(STARTS),
    /** Why it began, if an earlier one could not be resumed. */
    beganBecause: z.optional(z.enum(BEGINNINGS)),
    /** The conversations that the role was in before, oldest first, and when it left each; only the latest are kept. */
    earlier: z.optional(
      z.array(
        z.object({
          program: z.enum(AGENT_NAMES),
          id: z.guid(),
          transcript: z.optional(z.string()),
          programFolder: z.optional(z.string()),
          left: z.iso.datetime(),
        }),
      ),
    ),
    /** When the role's ritual was given in it. */
    ritual: z.optional(z.iso.datetime()),
    /** When the army was summoned of whose return its overlord has been told. */
    toldOfReturn: z.optional(z.iso.datetime()),
    /** The mail that its agent read in turns that failed, if no turn has ended well since; oldest first. */
    unfinished: z.optional(readMail),
    /** The mail that it has read in a turn that has not ended yet, as far as its relay has seen. */
    readInTurn: z.optional(readMail),
    /** How its last process was cut off. */
    cutOff: z.optional(
      z.object({
        at: z.iso.datetime(),
        in: z.enum(CUT_OFF_IN),
        /** The tool whose result is unknown. */
        tool: z.optional(line),
        /** The ids of mail that it had read since it last reported or left unfinished, and of mail that it never saw. */
        read: z.optional(z.array(line)),
        unseen: z.optional(z.array(line)),
        /** When the agent was told. */
        told: z.optional(z.iso.datetime()),
      }),
    ),
  });
});

export type Conversation = z.infer<ReturnType<typeof conversationFile>>;

export type CutOff = NonNullable<Conversation["cutOff"]>;

const MOST_EARLIER = 20;

/** If the role was in another conversation before, that one is remembered. */
export function writeConversation(store: Store, next: Conversation): void {
  const earlier = listEarlier(readConversation(store, next.role), next);
  saveRecord(store, store.paths.conversation(next.role), { ...next, earlier });
}

function listEarlier(before: Conversation | undefined, next: Conversation): Conversation["earlier"] {
  if (before === undefined) return next.earlier;
  const { program, id, transcript, programFolder, earlier = [] } = before;
  const left = new Date().toISOString();
  const all = id === undefined ? earlier : [...earlier, { program, id, transcript, programFolder, left }];
  const others = all.filter((each) => each.id !== next.id);
  return others.length === 0 ? undefined : others.slice(-MOST_EARLIER);
}

/**
 * Changes nothing in the store; undefined if there is none, or none that can be read; with `agent`, also if it is about
 * another agent.
 */
export function readConversation(
  store: Store,
  role: Role,
  agent?: ProcessIdentity,
): Conversation | undefined {
  const found = readRecord(store.paths.conversation(role), conversationFile());
  return agent === undefined || found?.agent === agent ? found : undefined;
}

/** Whether there is a record of a role's conversation that cannot be read. */
export function isConversationUnreadable(store: Store, role: Role): boolean {
  const file = examineRecord(store.paths.conversation(role), conversationFile());
  return !("content" in file || "missing" in file);
}
