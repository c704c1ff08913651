/** Puts a practice agent into its role's conversation when it starts, as a launcher does for Claude Code. */
import type { Role } from "../../army/roles.ts";
import { openMail } from "../../mail/mail.ts";
import { storePaths } from "../../mail/store/paths.ts";
import type { Environment } from "../../config/environment.ts";
import { cleanLine, cleanText } from "../../system/clean-text.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { identifyOurselves, type ProcessIdentity } from "../../system/process-identity.ts";
import { takeUpConversation } from "../take-up-conversation.ts";
import type { McpServer } from "./mcp-config.ts";
import type { Step } from "./play/step.ts";
import { practiceConversations } from "./practice-conversations.ts";

export interface PracticeConversation {
  id: string;
  transcript: string;
  isResumed: boolean;
}

export interface PracticeStart {
  env: Environment;
  /** The ritual that the army has for this role. */
  ritualOf: (relayDir: string, role: Role) => string | undefined;
  stop: AbortSignal;
}

/** Undefined for an agent that is not in an army, or whose army's folder cannot be used: it keeps no memory. */
export async function resumePractice(
  { role, env: { OVLD_RELAY_DIR: relayDir } }: McpServer,
  { env, ritualOf, stop }: PracticeStart,
): Promise<PracticeConversation | { inUseBy: ProcessIdentity } | undefined> {
  if (relayDir === undefined) return undefined;
  try {
    const taken = await takeUpConversation({
      role,
      relayDir,
      mail: openMail(relayDir, { known: true }),
      env,
      program: "practice",
      conversations: practiceConversations,
      agent: identifyOurselves(),
      ritual: ritualOf(relayDir, role),
      stop,
    });
    if ("inUseBy" in taken) return taken;
    const { id, start } = taken.conversation;
    return { id, transcript: storePaths(relayDir).practiceTranscript(id), isResumed: start === "resumed" };
  } catch (error) {
    if (error instanceof OvldError) return undefined;
    throw error;
  }
}

/** Looks in the journal for a message whose sender did not get the answer that it was stored. */
export function wasSent(
  { role, env }: McpServer,
  step: Extract<Step, { do: "send" }>,
  since: string,
): boolean {
  const relayDir = env["OVLD_RELAY_DIR"];
  if (relayDir === undefined) return false;
  const [to, subject, body] = [step.to, cleanLine(step.subject), cleanText(step.body)];
  for (const entry of openMail(relayDir).journal(Date.parse(since)).next()) {
    if (entry.event !== "stored" || entry.at < since || entry.from !== role) continue;
    if (entry.to === to && entry.subject === subject && entry.body === body) return true;
  }
  return false;
}
