/** `ovld relay`: one role's MCP server, from its environment to its end. */
import { createBell } from "../bell/bell.ts";
import { readRelaySettings, type RelaySettings } from "../config/relay-settings.ts";
import { describeError } from "../i18n/error-texts.ts";
import { chooseLanguage } from "../i18n/language.ts";
import { openMail } from "../mail/mail.ts";
import { cleanLine } from "../system/clean-text.ts";
import { OvldError } from "../system/ovld-error.ts";
import { print } from "../system/print.ts";
import { identifyProcess, isProcessAlive } from "../system/process-identity.ts";
import { onceAskedToEnd, surviveFileSizeLimit } from "../system/signals.ts";
import { watchArrivals } from "./arrivals.ts";
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
    complainOf(error);
    process.exitCode = EXIT_PRECONDITION;
    return;
  }
  await serveRole(settings);
}

async function serveRole({ role, relayDir, summoned }: RelaySettings): Promise<void> {
  surviveFileSizeLimit();
  const mail = openMail(relayDir);
  const arrivals = watchArrivals();
  const desk: Desk = { role, mail, bell: createBell(mail, role, []), arrivals };
  const presence = presenceOf(desk, summoned !== undefined);
  const server = createRelayServer(desk, presence.begin);
  const client = identifyProcess(process.ppid);
  const left = serve({ input: process.stdin, output: process.stdout, server, arrivals, complain });
  const asked = new Promise<NodeJS.Signals>((resolve) => onceAskedToEnd(resolve));
  const signal = await Promise.race([left.then(() => undefined), asked]);
  if (await isOrderlyEnd(signal, client)) arrivals.confirmAll();
  presence.end();
  process.exit(0);
}

/** Long enough for the kernel to be done with a client whose end of the pipe it has closed. */
const CLIENT_DEATH_MS = 50;

/** A client that died, or whose terminal did, may not have read what was written to it last: that comes back. */
async function isOrderlyEnd(
  signal: NodeJS.Signals | undefined,
  client: string | undefined,
): Promise<boolean> {
  if (signal === "SIGHUP") return false;
  await new Promise((resolve) => setTimeout(resolve, CLIENT_DEATH_MS));
  return client !== undefined && isProcessAlive(client);
}

/** Tells whoever ends the army which processes there are; mail goes through without it. */
function presenceOf({ role, mail }: Desk, summoned: boolean): { begin: () => void; end: () => void } {
  const relay = identifyProcess(process.pid) ?? `${process.pid}`;
  // A relay that was started by hand has a person's shell for a parent.
  const agent = summoned && process.ppid > 1 ? identifyProcess(process.ppid) : undefined;
  let begun = false;
  return {
    begin() {
      if (begun) return;
      try {
        mail.announce({ role, relay, agent });
        begun = true;
      } catch (error) {
        if (!(error instanceof OvldError)) throw error;
        complainOf(error);
      }
    },
    end() {
      if (begun) mail.withdraw(relay);
    },
  };
}

function complainOf({ report }: OvldError): void {
  complain(describeError(report, chooseLanguage(process.env)));
}

/** Nobody may be reading: beyond this many, a full pipe would stop the relay. */
const MOST_COMPLAINTS = 20;
let complaints = 0;

/** stdout carries the protocol alone. */
function complain(sentence: string): void {
  complaints += 1;
  if (complaints <= MOST_COMPLAINTS) print("stderr", `ovld relay: ${cleanLine(sentence).slice(0, 500)}\n`);
}
