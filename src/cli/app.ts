/** The command tree. */
import {
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Application,
  type CommandContext as StricliContext,
} from "@stricli/core";
import { AGENT_NAMES } from "../army/agent-names.ts";
import { CLI_TEXTS, type CliTexts } from "../i18n/cli-texts.ts";
import type { Language } from "../army/words.ts";
import { VERSION } from "../system/version.ts";
import type * as BellEntry from "../relay/bell-entry.ts";
import type * as RelayProgram from "../relay/main.ts";
import type * as CompleteProgram from "./commands/complete.ts";
import type * as CompletionProgram from "./commands/completion.ts";
import type * as ContinueProgram from "./commands/continue.ts";
import type * as DoctorProgram from "./commands/doctor.ts";
import type * as HelpProgram from "./commands/help.ts";
import type * as InitProgram from "./commands/init.ts";
import type * as InsightProgram from "./commands/insight.ts";
import type * as LogProgram from "./commands/log.ts";
import type * as SendProgram from "./commands/send.ts";
import type * as StatusProgram from "./commands/status.ts";
import type * as PracticeProgram from "./commands/practice.ts";
import type * as PracticeAgentProgram from "./commands/practice-agent.ts";
import type * as RitualProgram from "./commands/ritual.ts";
import type * as SummonProgram from "./commands/summon.ts";
import type * as UnsummonProgram from "./commands/unsummon.ts";
import type * as WelcomeProgram from "./commands/welcome.ts";
import { describeCommand } from "./tree/describe-command.ts";
import type { CommandContext } from "./command-context.ts";
import type * as AppProgram from "./run-app.ts";
import { stricliText } from "./stricli-text.ts";
import { completionCommand } from "./tree/completion-command.ts";
import { continueCommand } from "./tree/continue-command.ts";
import { doctorCommand } from "./tree/doctor-command.ts";
import { choicePlace } from "./tree/choice.ts";
import { sessionFlag, wordFlag } from "./tree/flags.ts";
import { initCommand } from "./tree/init-command.ts";
import { insightCommand } from "./tree/insight-command.ts";
import { logCommand } from "./tree/log-command.ts";
import { sendCommand } from "./tree/send-command.ts";
import { statusCommand } from "./tree/status-command.ts";
import { practiceAgentCommand } from "./tree/practice-agent-command.ts";
import { practiceCommand } from "./tree/practice-command.ts";
import { ritualCommand } from "./tree/ritual-command.ts";

/** What the commands do is built into files of their own, so that nobody pays for what another command needs. */
interface Programs {
  relay: typeof RelayProgram;
  app: typeof AppProgram;
  help: typeof HelpProgram;
  welcome: typeof WelcomeProgram;
  complete: typeof CompleteProgram;
  completion: typeof CompletionProgram;
  continue: typeof ContinueProgram;
  doctor: typeof DoctorProgram;
  init: typeof InitProgram;
  insight: typeof InsightProgram;
  log: typeof LogProgram;
  send: typeof SendProgram;
  status: typeof StatusProgram;
  bell: typeof BellEntry;
  ritual: typeof RitualProgram;
  summon: typeof SummonProgram;
  unsummon: typeof UnsummonProgram;
  practice: typeof PracticeProgram;
  "practice-agent": typeof PracticeAgentProgram;
}

export type LoadProgram = <Name extends keyof Programs>(name: Name) => Programs[Name];

export function buildApp(
  language: Language,
  context: () => CommandContext,
  load: LoadProgram,
  debug = false,
): Application<StricliContext> {
  const texts = CLI_TEXTS[language];
  const { briefs } = texts;
  const relay = buildCommand({
    docs: { brief: briefs.relay, fullDescription: briefs.relayFull },
    parameters: {},
    func: () => load("relay").runRelay(load),
  });
  const root = buildRouteMap({
    routes: {
      summon: summonCommand(texts, context, load),
      unsummon: unsummonCommand(texts, context, load),
      send: sendCommand(texts, context, load),
      log: logCommand(texts, context, load),
      continue: continueCommand(texts, context, load),
      status: statusCommand(texts, context, load),
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
    localization: { defaultLocale: language, loadText: () => stricliText(language, debug) },
  });
}

function summonCommand(texts: CliTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags } = texts;
  return buildCommand<SummonProgram.SummonFlags>({
    docs: describeCommand("summon", texts),
    parameters: {
      flags: {
        session: sessionFlag(texts, context, load),
        agent: { ...wordFlag("NAME", flags.agent), ...choicePlace(AGENT_NAMES) },
        detached: { kind: "boolean", default: false, withNegated: false, brief: flags.detached },
        rituals: {
          kind: "parsed",
          parse: String,
          optional: true,
          placeholder: "DIR",
          brief: flags.rituals,
        },
        noRituals: { kind: "boolean", default: false, withNegated: false, brief: flags.noRituals },
        dryRun: { kind: "boolean", default: false, withNegated: false, brief: flags.dryRun },
        json: { kind: "boolean", default: false, withNegated: false, brief: flags.json },
      },
    },
    func: (given) => load("summon").summon(context(), given),
  });
}

function unsummonCommand(texts: CliTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags } = texts;
  return buildCommand<UnsummonProgram.UnsummonFlags>({
    docs: describeCommand("unsummon", texts),
    parameters: {
      flags: {
        session: sessionFlag(texts, context, load, "all"),
        all: { kind: "boolean", default: false, withNegated: false, brief: flags.all },
        force: { kind: "boolean", default: false, withNegated: false, brief: flags.force },
      },
    },
    func: (given) => load("unsummon").unsummon(context(), given),
  });
}
