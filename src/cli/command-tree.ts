/** The command tree: each command is a folder in `commands/` and a line here. */
import {
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Application,
  type CommandContext as StricliContext,
} from "@stricli/core";
import type { CommandContext } from "../command/command-context.ts";
import type { Texts } from "../i18n/texts.ts";
import type * as Relay from "../relay/main.ts";
import { VERSION } from "../system/version.ts";
import { answerCommand } from "./commands/answer/call.ts";
import { armiesCommand } from "./commands/armies/call.ts";
import { completionCommand } from "./commands/completion/call.ts";
import { continueCommand } from "./commands/continue/call.ts";
import { deskCommand } from "./commands/desk/call.ts";
import { doctorCommand } from "./commands/doctor/call.ts";
import { hubCommand } from "../machines/commands/hub/call.ts";
import { initCommand } from "./commands/init/call.ts";
import { insightCommand } from "./commands/insight/call.ts";
import { joinCommand } from "../machines/commands/join/call.ts";
import { logCommand } from "./commands/log/call.ts";
import { practiceCommand, practiceAgentCommand } from "./commands/practice/call.ts";
import { restartCommand } from "./commands/restart/call.ts";
import { ritualCommand } from "./commands/ritual/call.ts";
import { sendCommand } from "./commands/send/call.ts";
import { statusCommand } from "./commands/status/call.ts";
import { summonCommand } from "./commands/summon/call.ts";
import { unsummonCommand } from "./commands/unsummon/call.ts";
import type { TreeTexts } from "./tree/describe-command.ts";
import type { LoadProgram } from "./load-program.ts";
import { stricliText } from "./stricli-text.ts";

export function buildApp(
  all: Texts,
  context: () => CommandContext,
  load: LoadProgram,
  debug = false,
): Application<StricliContext> {
  const texts: TreeTexts = { ...all.cli, commands: all.commands };
  const { briefs } = texts;
  const relay = buildCommand({
    docs: { brief: briefs.relay, fullDescription: briefs.relayFull },
    parameters: {},
    func: () => load<typeof Relay>("relay").runRelay(load),
  });
  const root = buildRouteMap({
    routes: {
      summon: summonCommand(texts, context, load),
      unsummon: unsummonCommand(texts, context, load),
      send: sendCommand(texts, context, load),
      log: logCommand(texts, context, load),
      continue: continueCommand(texts, context, load),
      restart: restartCommand(texts, context, load),
      status: statusCommand(texts, context, load),
      answer: answerCommand(texts, context, load),
      desk: deskCommand(texts, context, load),
      armies: armiesCommand(texts, context, load),
      hub: hubCommand(texts, context, load),
      join: joinCommand(texts, context, load),
      insight: insightCommand(texts, context, load),
      init: initCommand(texts, context, load),
      doctor: doctorCommand(texts, context, load),
      completion: completionCommand(texts, context, load),
      ritual: ritualCommand(texts, context, load),
      practice: practiceCommand(texts, context, load),
      relay,
      "practice-agent": practiceAgentCommand(texts, context, load),
    },
    docs: { brief: briefs.army, hideRoute: { "practice-agent": true } },
  });
  return buildApplication(root, {
    name: "ovld",
    versionInfo: { currentVersion: VERSION },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: true, caseStyle: "convert-camel-to-kebab" },
    localization: { defaultLocale: all.language, loadText: () => stricliText(texts, debug) },
  });
}
