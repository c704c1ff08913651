/**
 * Which conversation each role is in: one file per role, replaced whole and synced, because after a crash or a reboot
 * it is what leads the role's next agent back to where the last one was.
 *
 * It is written by whoever starts the agent, before it starts, and by the agent's own relay, which follows it into
 * another conversation.
 */
import * as z from "zod/mini";
import { AGENT_NAMES } from "../army/agent-names.ts";
import { ROLES, type Role } from "../army/roles.ts";
import { BEGINNINGS, CUT_OFF_IN, STARTS } from "../army/words.ts";
import { cleanLine } from "../system/clean-text.ts";
import { replaceFile } from "../system/durable-files.ts";
import { lazily } from "../system/lazily.ts";
import { parseJson } from "../system/parse-json.ts";
import { readPlainFile } from "../system/read-plain-file.ts";
import { asideFor } from "./aside.ts";
import { LIMITS } from "./limits.ts";
import { processIdentity } from "./process-field.ts";
import { access, type Store } from "./store.ts";

const conversationFile = lazily(() => {
  const line = z.pipe(z.string(), z.transform(cleanLine));
  return z.object({
    role: z.enum(ROLES),
    /** The agent program that keeps it: no other can take it up. */
    program: z.enum(AGENT_NAMES),
    /** By which the program knows it; absent where the program has not told. */
    id: z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/))),
    /** The file the program keeps it in, once it is known. */
    transcript: z.optional(z.string()),
    /** When it began, as far as ovld knows. */
    since: z.iso.datetime(),
    /** The process that has it, dead or alive. */
    agent: z.optional(processIdentity()),
    /** When that process was started, and whether it took the conversation up again or began it. */
    started: z.iso.datetime(),
    start: z.enum(STARTS),
    /** Why it began, where there was another before that could not be taken up. */
    beganBecause: z.optional(z.enum(BEGINNINGS)),
    /** When the role's ritual was given in it. */
    ritual: z.optional(z.iso.datetime()),
    /** How its last process was cut off, until the agent has been told. */
    cutOff: z.optional(
      z.object({
        at: z.iso.datetime(),
        in: z.enum(CUT_OFF_IN),
        /** The tool whose outcome is unknown. */
        tool: z.optional(line),
      }),
    ),
  });
});

export type Conversation = z.infer<ReturnType<typeof conversationFile>>;

export function writeConversation(store: Store, conversation: Conversation): void {
  access(store, [store.paths.conversations, store.paths.tmp], () => {
    replaceFile({
      aside: asideFor(store),
      target: store.paths.conversation(conversation.role),
      content: `${JSON.stringify(conversation)}\n`,
    });
  });
}

/** Looks without touching; undefined where there is none. */
export function readConversation(store: Store, role: Role): Conversation | "unreadable" | undefined {
  const file = readPlainFile(store.paths.conversation(role), LIMITS.messageFileBytes);
  if ("missing" in file) return undefined;
  const parsed = "text" in file ? conversationFile().safeParse(parseJson(file.text)).data : undefined;
  return parsed?.role === role ? parsed : "unreadable";
}
