/** `ovld` without arguments: the current situation, and the next sensible step. */
import type { LoadProgram } from "../../syntax.ts";
import type * as Status from "../status/run.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { formatArmyFlag } from "../../../view/need.ts";
import { describeSession } from "../../../view/describe-session.ts";
import { AGENTS, programNeeded } from "../../../agent/agent-program.ts";
import { configFilePath } from "../../../config/folders.ts";
import { zellijCandidates } from "../../../zellij/version.ts";
import { readSettings } from "../../../config/settings.ts";
import { findProgram } from "../../../system/run-program.ts";
import { padToWidth, textWidth } from "../../../terminal/text-width.ts";
import { VERSION } from "../../../system/version.ts";
import { runCommand, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { knownArmies } from "../../../summon/army.ts";
import { describeLetters } from "../../../person/letters.ts";
import { mailOfArmy } from "../../../person/find-runner.ts";
import { existsSync } from "node:fs";

type Step = readonly [command: string, step: keyof Texts["help"]["welcome"]["steps"]];

/** On a terminal it is the watching of the army that works in this folder, if there is one. */
export function welcome(context: CommandContext, load: LoadProgram): Promise<void> {
  return runCommand(context, async () => {
    const live = await liveArmies(context);
    const army = context.hasTerminal
      ? live.find((session) => mailOfArmy(context, session).mail.army()?.folder === context.cwd)
      : undefined;
    if (army !== undefined) {
      const flags = { army, watch: true, json: false, floating: false };
      return load<typeof Status>("status").status(context, flags);
    }
    const texts = context.texts.help.welcome;
    const { situation, steps } = await findSituation(context, texts, live);
    sayLine(context, `ovld ${VERSION}: ${context.texts.cli.briefs.army}\n`);
    for (const sentence of situation) sayLine(context, sentence);
    sayLine(context, texts.next);
    const all: Step[] = [...steps, ["ovld --help", "help"]];
    const width = Math.max(...all.map(([command]) => textWidth(command)));
    for (const [command, step] of all) {
      sayLine(context, `  ${padToWidth(command, width)}  ${texts.steps[step]}`);
    }
    return EXIT.done;
  });
}

async function findSituation(
  context: CommandContext,
  texts: Texts["help"]["welcome"],
  live: readonly string[],
): Promise<{ situation: string[]; steps: Step[] }> {
  const [first] = live;
  if (first !== undefined) {
    const flag = formatArmyFlag(first);
    const { unread } = describeLetters(mailOfArmy(context, first).mail);
    const { mailForYou } = context.texts.status;
    const steps: Step[] = [
      ...(unread > 0 ? [[`ovld inbox${flag}`, "inbox"] as const] : []),
      [`ovld status${flag}`, "status"],
      [`ovld attach${flag}`, "attach"],
      [`ovld send overlord "…"${flag}`, "send"],
    ];
    return {
      situation: [...(unread > 0 ? [mailForYou(unread)] : []), texts.running(live.join(", "))],
      steps,
    };
  }
  const { env } = context;
  const settings = readSettings(env);
  const hasZellij = zellijCandidates(env, settings.zellij).some((program) =>
    findProgram(program, env["PATH"]),
  );
  const agent = AGENTS[settings.agent];
  const needed = programNeeded(settings, agent);
  const hasAgent = needed === undefined || findProgram(needed, env["PATH"]) !== undefined;
  const missing = [...(hasZellij ? [] : [texts.noZellij]), ...(hasAgent ? [] : [texts.noAgent(agent.title)])];
  if (missing.length > 0) {
    // Practice agents are part of ovld, and Zellij is provided, unless the configuration names one.
    const practice: Step[] =
      hasZellij || settings.zellij === undefined ? [["ovld practice", "practice"]] : [];
    return { situation: missing, steps: [...practice, ["ovld doctor", "doctor"]] };
  }
  const steps: Step[] = existsSync(configFilePath(env)) ? [] : [["ovld init", "init"]];
  return { situation: [texts.ready], steps: [["ovld summon", "summon"], ...steps] };
}

async function liveArmies(context: CommandContext): Promise<string[]> {
  const live: string[] = [];
  for (const session of knownArmies(context.env)) {
    const { state } = await describeSession(context, mailOfArmy(context, session));
    // Of one that does not answer it is not said that there is none.
    if (state !== "gone") live.push(session);
  }
  return live;
}
