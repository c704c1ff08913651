/**
 * `ovld take-up PROGRAM RELAYDIR ARGS…`: called by an army's launcher before each start of an agent. Prints the arguments
 * that put the agent into its role's conversation. Not for a person to type.
 */
import { basename } from "node:path";
import { AGENTS } from "../../../agent/agent-program.ts";
import { followMovedOvld } from "../../../summon/follow-moved-ovld.ts";
import { MCP_CONFIG_FLAG } from "../../../agent/army-process.ts";
import { armyRitualText } from "../../../rituals/ritual-file.ts";
import { takeUpConversation } from "../../../agent/take-up-conversation.ts";
import { AGENT_NAMES, CONVERSATION_IN_USE } from "../../../army/words.ts";
import { isRole } from "../../../army/roles.ts";
import { printProblems, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { openMail } from "../../../mail/mail.ts";
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
  const texts = context.texts.conversation;
  const taken = await takeUpConversation({
    role,
    relayDir,
    mail: openMail(relayDir, { known: true }),
    env: context.env,
    program,
    conversations,
    // The launcher, which becomes the agent.
    agent: identifyProcess(process.ppid),
    ritual: armyRitualText(relayDir, role),
    stop: context.stop,
  });
  if ("inUseBy" in taken) {
    context.print("stderr", `ovld: ${texts.inUse(role, Number.parseInt(taken.inUseBy, 10))}\n`);
    return CONVERSATION_IN_USE;
  }
  const { id, start, beganBecause: why } = taken.conversation;
  if (why !== undefined) context.print("stderr", `ovld: ${texts.beginsAnew(role, texts.beginnings[why])}\n`);
  const flags = start === "resumed" ? conversations.resume(id) : conversations.begin(id);
  context.print("stdout", `${flags.join(" ")}\n`);
  return EXIT.done;
}
