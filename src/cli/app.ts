/** The command tree. */
import {
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Application,
  type CommandContext,
} from "@stricli/core";
import { CLI_TEXTS, type CliTexts } from "../i18n/cli-texts.ts";
import type { Language } from "../i18n/language.ts";
import { VERSION } from "../system/version.ts";
import type * as BellProgram from "../bell/bell-program.ts";
import type * as RelayProgram from "../relay/main.ts";
import type * as InitProgram from "./commands/init.ts";
import type * as LogProgram from "./commands/log.ts";
import type * as SendProgram from "./commands/send.ts";
import type * as StatusProgram from "./commands/status.ts";
import type * as SummonProgram from "./commands/summon.ts";
import type * as UnsummonProgram from "./commands/unsummon.ts";
import type { Machine } from "./machine.ts";
import { stricliText } from "./stricli-text.ts";
import { initCommand } from "./tree/init-command.ts";
import { logCommand } from "./tree/log-command.ts";
import { sendCommand } from "./tree/send-command.ts";
import { statusCommand } from "./tree/status-command.ts";

/** What the commands do is built into files of their own, so that nobody pays for what another command needs. */
interface Programs {
  relay: typeof RelayProgram;
  init: typeof InitProgram;
  log: typeof LogProgram;
  send: typeof SendProgram;
  status: typeof StatusProgram;
  bell: typeof BellProgram;
  summon: typeof SummonProgram;
  unsummon: typeof UnsummonProgram;
}

export type LoadProgram = <Name extends keyof Programs>(name: Name) => Programs[Name];

export function buildApp(
  language: Language,
  machine: () => Machine,
  load: LoadProgram,
): Application<CommandContext> {
  const texts = CLI_TEXTS[language];
  const { briefs } = texts;
  const relay = buildCommand({
    docs: { brief: briefs.relay, fullDescription: briefs.relayFull },
    parameters: {},
    func: () => load("relay").runRelay(load),
  });
  const root = buildRouteMap({
    routes: {
      summon: summonCommand(texts, machine, load),
      unsummon: unsummonCommand(texts, machine, load),
      send: sendCommand(texts, machine, load),
      log: logCommand(texts, machine, load),
      status: statusCommand(texts, machine, load),
      init: initCommand(texts, machine, load),
      relay,
    },
    docs: { brief: briefs.army },
  });
  return buildApplication(root, {
    name: "ovld",
    versionInfo: { currentVersion: VERSION },
    scanner: { caseStyle: "allow-kebab-for-camel" },
    documentation: { disableAnsiColor: true, caseStyle: "convert-camel-to-kebab" },
    localization: { defaultLocale: language, loadText: () => stricliText(language) },
  });
}

function summonCommand({ briefs, flags }: CliTexts, machine: () => Machine, load: LoadProgram) {
  return buildCommand<SummonProgram.SummonFlags>({
    docs: { brief: briefs.summon },
    parameters: {
      flags: {
        session: sessionFlag(flags),
        detached: { kind: "boolean", default: false, withNegated: false, brief: flags.detached },
        dryRun: { kind: "boolean", default: false, withNegated: false, brief: flags.dryRun },
        json: { kind: "boolean", default: false, withNegated: false, brief: flags.json },
      },
    },
    func: (given) => load("summon").summon(machine(), given),
  });
}

function unsummonCommand({ briefs, flags }: CliTexts, machine: () => Machine, load: LoadProgram) {
  return buildCommand<UnsummonProgram.UnsummonFlags>({
    docs: { brief: briefs.unsummon },
    parameters: {
      flags: {
        session: sessionFlag(flags),
        all: { kind: "boolean", default: false, withNegated: false, brief: flags.all },
        force: { kind: "boolean", default: false, withNegated: false, brief: flags.force },
      },
    },
    func: (given) => load("unsummon").unsummon(machine(), given),
  });
}

function sessionFlag(flags: CliTexts["flags"]) {
  return {
    kind: "parsed",
    parse: String,
    optional: true,
    placeholder: "NAME",
    brief: flags.session,
  } as const;
}
