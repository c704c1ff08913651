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

export function buildApp(language: Language): Application<CommandContext> {
  const { briefs } = CLI_TEXTS[language];
  const relay = buildCommand({
    docs: { brief: briefs.relay, fullDescription: briefs.relayFull },
    parameters: {},
    loader: async () => (await import("../relay/main.ts")).runRelay,
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
