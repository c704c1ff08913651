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
import { deskCommand } from "./commands/desk/call.ts";
import { doctorCommand } from "./commands/doctor/call.ts";
import { machineCommands } from "../machines/commands/call.ts";
import { initCommand } from "./commands/init/call.ts";
import { insightCommand } from "./commands/insight/call.ts";
import { logCommand } from "./commands/log/call.ts";
import { practiceCommand, practiceAgentCommand } from "./commands/practice/call.ts";
import { continueCommand, restartCommand } from "./commands/restart/call.ts";
import { ritualCommand } from "./commands/ritual/call.ts";
import { sendCommand } from "./commands/send/call.ts";
import { statusCommand } from "./commands/status/call.ts";
import { summonCommand } from "./commands/summon/call.ts";
import { unsummonCommand } from "./commands/unsummon/call.ts";
import { createSyntax, type LoadProgram } from "./syntax.ts";
import { stricliText } from "./stricli-text.ts";

export function buildApp(
  texts: Texts,
  context: () => CommandContext,
  load: LoadProgram,
  debug = false,
): Application<StricliContext> {
  const syntax = createSyntax(texts, context, load);
  const { briefs } = syntax;
  const relay = buildCommand({
    docs: { brief: briefs.relay, fullDescription: briefs.relayFull },
    parameters: {},
    func: () => load<typeof Relay>("relay").runRelay(load),
  });
  const root = buildRouteMap({
    routes: {
      summon: summonCommand(syntax),
      unsummon: unsummonCommand(syntax),
      send: sendCommand(syntax),
      log: logCommand(syntax),
      continue: continueCommand(syntax),
      restart: restartCommand(syntax),
      status: statusCommand(syntax),
      answer: answerCommand(syntax),
      desk: deskCommand(syntax),
      armies: armiesCommand(syntax),
      ...machineCommands(syntax),
      insight: insightCommand(syntax),
      init: initCommand(syntax),
      doctor: doctorCommand(syntax),
      completion: completionCommand(syntax),
      ritual: ritualCommand(syntax),
      practice: practiceCommand(syntax),
      relay,
      "practice-agent": practiceAgentCommand(syntax),
    },
    docs: { brief: briefs.army, hideRoute: { "practice-agent": true } },
  });
  return buildApplication(root, {
    name: "ovld",
    versionInfo: { currentVersion: VERSION },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: true, caseStyle: "convert-camel-to-kebab" },
    localization: { defaultLocale: texts.language, loadText: () => stricliText(texts.cli, debug) },
  });
}
