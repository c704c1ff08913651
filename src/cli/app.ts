/** The command tree. */
import {
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Application,
  type CommandContext,
} from "@stricli/core";
import { CLI_TEXTS } from "../i18n/cli-texts.ts";
import type { Language } from "../i18n/language.ts";
import { VERSION } from "../system/version.ts";
import { stricliText } from "./stricli-text.ts";

/** The relay is a program of its own, which only its command pays for. */
export type RunRelay = () => Promise<void>;

export function buildApp(language: Language, loadRelay: () => RunRelay): Application<CommandContext> {
  const { briefs } = CLI_TEXTS[language];
  const relay = buildCommand({
    docs: { brief: briefs.relay, fullDescription: briefs.relayFull },
    parameters: {},
    loader: async () => loadRelay(),
  });
  const root = buildRouteMap({ routes: { relay }, docs: { brief: briefs.army } });
  return buildApplication(root, {
    name: "ovld",
    versionInfo: { currentVersion: VERSION },
    scanner: { caseStyle: "allow-kebab-for-camel" },
    documentation: { disableAnsiColor: true },
    localization: { defaultLocale: language, loadText: () => stricliText(language) },
  });
}
