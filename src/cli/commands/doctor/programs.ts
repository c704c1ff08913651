/** Which Node.js, Zellij and agent program are found here: for `ovld --version` and the doctor. */
import { type AgentProgram, AGENTS, programNeeded } from "../../../agent/agent-program.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { readSettingsOrDefaults, type Settings } from "../../../config/settings.ts";
import type { Finding } from "../../../i18n/en/doctor.ts";
import { formatFinding } from "../../../i18n/sentences.ts";
import { tryTo } from "../../../system/file-error.ts";
import { VERSION } from "../../../system/version.ts";
import { chooseZellij, OLDEST_ZELLIJ, type VersionCheck } from "../../../zellij/version.ts";

/** What `ovld --version` prints; a configuration that cannot be read does not hide it. */
export async function describeVersions(context: CommandContext): Promise<string> {
  const { env, texts } = context;
  const settings = tryTo(() => readSettingsOrDefaults(env).settings);
  const { program, version } = await chooseZellij(env, settings?.zellij);
  const found = [findZellij(program, version), ...(settings ? await findAgents(context, settings) : [])];
  const lines = [findNode(context), ...found].map((each) => formatFinding(each, texts.doctor.sentences));
  return [`ovld ${VERSION}`, ...lines].join("\n");
}

/** The Node.js that runs this is new enough, otherwise the program would not have started. */
export function findNode({ ovld }: CommandContext): Finding {
  return { verdict: "good", code: "node", facts: { version: process.versions.node, program: ovld.node } };
}

export function findZellij(program: string, found: VersionCheck): Finding {
  const [oldest, fix] = [OLDEST_ZELLIJ, "ovld summon --yes"];
  if (found === "missing") return { verdict: "wrong", code: "zellij-missing", facts: { oldest }, fix };
  const { version, fits } = found;
  if (fits) return { verdict: "good", code: "zellij", facts: { version, program } };
  return { verdict: "wrong", code: "zellij-too-old", facts: { version, program, oldest }, fix };
}

/** The first finding about each agent program is the one about its version. */
async function findAgents(context: CommandContext, settings: Settings): Promise<Finding[]> {
  const found = Object.values(AGENTS).map((agent) => findAgent(context, settings, agent));
  return (await Promise.all(found)).flatMap(([first]) => first ?? []);
}

/** How an agent program is installed; empty for one that is part of ovld. */
export async function findAgent(
  context: CommandContext,
  settings: Settings,
  agent: AgentProgram,
): Promise<Finding[]> {
  const { env } = context;
  const program = programNeeded(settings, agent);
  if (agent.checks === undefined || program === undefined) return [];
  const isChosen = agent.name === settings.agent;
  // Undefined if the working folder no longer exists.
  const folder = tryTo(() => context.cwd);
  return agent.checks.installation({ env, program, isChosen, wake: settings.wake, folder });
}
