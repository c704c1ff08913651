/** `ovld relay`: one role's MCP server, from its environment to its end. */
import { createBell } from "../bell/bell.ts";
import { readRelaySettings, type RelaySettings } from "../config/relay-settings.ts";
import { describeError } from "../i18n/error-texts.ts";
import { chooseLanguage } from "../i18n/language.ts";
import { openMail } from "../mail/mail.ts";
import { cleanLine } from "../system/clean-text.ts";
import { OvldError } from "../system/ovld-error.ts";
import { print } from "../system/print.ts";
import { onceAskedToEnd, surviveFileSizeLimit } from "../system/signals.ts";
import { watchArrivals, type Arrivals } from "./arrivals.ts";
import { serve } from "./connection.ts";
import { createRelayServer } from "./relay-server.ts";
import type { Desk } from "./tools/tool.ts";

const EXIT_PRECONDITION = 4;

export async function runRelay(): Promise<void> {
  let settings: RelaySettings;
  try {
    settings = readRelaySettings(process.env);
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    complain(describeError(error.report, chooseLanguage(process.env)));
    process.exitCode = EXIT_PRECONDITION;
    return;
  }
  await serveRole(settings);
}

async function serveRole(settings: RelaySettings): Promise<void> {
  surviveFileSizeLimit();
  const arrivals = watchArrivals();
  const server = createRelayServer(once(() => makeDesk(settings, arrivals)));
  const left = serve({ input: process.stdin, output: process.stdout, server, arrivals, complain });
  const asked = new Promise<void>((resolve) => onceAskedToEnd(() => resolve()));
  await Promise.race([left, asked]);
  arrivals.confirmAll();
  process.exit(0);
}

function makeDesk({ role, relayDir }: RelaySettings, arrivals: Arrivals): Desk {
  const mail = openMail(relayDir);
  return { role, mail, bell: createBell(mail, role, []), arrivals };
}

/** stdout carries the protocol alone. */
function complain(sentence: string): void {
  print("stderr", `ovld relay: ${cleanLine(sentence)}\n`);
}

function once<Result>(make: () => Result): () => Result {
  let made: { result: Result } | undefined;
  return () => (made ??= { result: make() }).result;
}
