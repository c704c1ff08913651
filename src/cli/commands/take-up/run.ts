/**
 * `ovld take-up PROGRAM RELAYDIR ARGS…`: called by an army's launcher before each start of an agent. Prints the arguments
 * that put the agent into its role's conversation. Not for a person to type.
 */
import { basename } from "node:path";
import { AGENTS } from "../../../agent/agent-program.ts";
import { followMovedOvld } from "../../../summon/army-files.ts";
import { MCP_CONFIG_FLAG } from "../../../agent/army-process.ts";
import { armyRitualText } from "../../../rituals/ritual-file.ts";
import { takeUpConversation, type Start } from "../../../agent/take-up-conversation.ts";
import { AGENT_NAMES, CONVERSATION_IN_USE } from "../../../army/words.ts";
import { isRole } from "../../../army/roles.ts";
import { printProblems, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { openMail } from "../../../mail/mail.ts";
import type { Conversation } from "../../../mail/records/conversation.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { identifyProcess } from "../../../system/process.ts";

/** Returns the exit code. If anything fails here, the launcher still starts the program. */
export async function takeUp(context: CommandContext, words: readonly string[]): Promise<number> {
  try {
    return await printFlags(context, words);
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    return printProblems(context, [error.report]);
  }
}

async function printFlags(context: CommandContext, words: readonly string[]): Promise<number> {
  const [name, relayDir, ...args] = words;
  const program = AGENT_NAMES.find((each) => each === name);
  const role = basename(args[args.indexOf(MCP_CONFIG_FLAG) + 1] ?? "", ".json");
  if (program === undefined || relayDir === undefined || !isRole(role)) return EXIT.usage;
  followMovedOvld(relayDir, role, context.ovld);
  const { conversations } = AGENTS[program];
  if (conversations.areChosenBy(args)) return EXIT.done;
  // The launcher becomes the agent.
  const agent = identifyProcess(process.ppid);
  const conversation = await takeUpRole(context, { role, relayDir, program, agent });
  if (conversation === undefined) return CONVERSATION_IN_USE;
  const texts = context.texts.conversation;
  const { id, start, beganBecause: why } = conversation;
  if (why !== undefined) context.print("stderr", `ovld: ${texts.beginsAnew(role, texts.beginnings[why])}\n`);
  const flags = start === "resumed" ? conversations.resume(id) : conversations.begin(id);
  context.print("stdout", `${flags.join(" ")}\n`);
  return EXIT.done;
}

/** The conversation of the role; undefined if another process has it, which the person is told. */
export async function takeUpRole(
  { env, stop, print, texts }: CommandContext,
  start: Pick<Start, "role" | "relayDir" | "program" | "agent">,
): Promise<(Conversation & { id: string }) | undefined> {
  const { role, relayDir, program } = start;
  const taken = await takeUpConversation({
    ...start,
    mail: openMail(relayDir, { known: true }),
    env,
    conversations: AGENTS[program].conversations,
    ritual: armyRitualText(relayDir, role),
    stop,
  });
  if (!("inUseBy" in taken)) return taken.conversation;
  print("stderr", `ovld: ${texts.conversation.inUse(role, Number.parseInt(taken.inUseBy, 10))}\n`);
  return undefined;
}
