/** `ovld relay`: runs one role's MCP server, from reading its environment to its end. */
import {
  type ProcessIdentity,
  identifyOurselves,
  identifyProcess,
  isProcessAlive,
} from "../system/process-identity.ts";
import { isBelowAnother } from "../agent/army-process.ts";
import { awaitBellOutcome, type RingForDeadRelay } from "../bell/await-bell-outcome.ts";
import { mailWord } from "../bell/mail-word.ts";
import { readRelaySettings, SUMMONED, type RelaySettings } from "../config/relay-settings.ts";
import { describeError } from "../i18n/describe-error.ts";
import type { Language } from "../army/words.ts";
import type * as English from "../i18n/en.ts";
import { chooseLanguage } from "../i18n/language.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import { sealKey, type Sealing } from "../mail/seal.ts";
import { cleanLine } from "../system/clean-text.ts";
import { lazily } from "../system/lazily.ts";
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/pause.ts";
import { print } from "../terminal/print.ts";
import { onceAskedToEnd, surviveFileSizeLimit } from "../system/signals.ts";
import { openAgentSession } from "./agent-session.ts";
import { trackAnswerDelivery } from "./answer-delivery.ts";
import { serve } from "./connection.ts";
import type * as BellEntry from "./bell-entry.ts";
import { createRelayServer } from "./relay-server.ts";
import type { ToolContext } from "./tools/tool.ts";

const EXIT_PRECONDITION = 4;

/** The bell and the texts are built into files of their own. */
export interface LoadPart {
  (name: "bell"): typeof BellEntry;
  (name: `texts-${Language}`): typeof English;
}

export async function runRelay(load: LoadPart): Promise<void> {
  let settings: RelaySettings;
  try {
    settings = readRelaySettings(process.env, workingFolder);
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    complainer(load)(error);
    process.exitCode = EXIT_PRECONDITION;
    return;
  }
  // Child processes must not see these.
  for (const name of [SUMMONED.secret, SUMMONED.keys]) delete process.env[name];
  await serveRole(settings, load);
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new OvldError({ code: "cwd-gone", facts: {} }, error);
  }
}

async function serveRole(settings: RelaySettings, load: LoadPart): Promise<void> {
  surviveFileSizeLimit();
  const { role, relayDir, limits, summoned } = settings;
  // A relay that starts while its army is being ended must not recreate the army's folder.
  const mail = openMail(relayDir, {
    known: summoned !== undefined,
    limits,
    origin: { program: "relay", role },
    sealing: sealingOf(settings),
  });
  const delivery = trackAnswerDelivery();
  const relay = identifyOurselves();
  const client = identifyProcess(process.ppid);
  // A relay that is a child of the init process has no agent.
  const agent = process.ppid > 1 ? client : undefined;
  const loadBell = (): typeof BellEntry => load("bell");
  const agentSession = openAgentSession({
    settings,
    mail,
    env: process.env,
    relay,
    agent,
    delivery,
    loadBell,
    complainOf: complainer(load),
  });
  const ringForDeadRelay = ringerOf(settings, mail, relay, loadBell);
  const context: ToolContext = {
    role,
    mail,
    awaitBellOutcome: (message) => awaitBellOutcome(mail, message, ringForDeadRelay),
    texts: () => load("texts-en").TEXTS,
    delivery,
    onAsked: (messages) => agentSession.onAsked(messages),
  };
  const server = createRelayServer(context, agentSession, settings.insightDir, mailWord(role, summoned));
  const left = serve({ input: process.stdin, output: process.stdout, server, delivery, complain });
  const asked = new Promise<NodeJS.Signals>((resolve) => onceAskedToEnd(resolve));
  const signal = await Promise.race([left.then(() => undefined), asked]);
  if (await isOrderlyEnd(signal, client)) delivery.confirmAll();
  agentSession.close();
  process.exit(0);
}

/** Undefined without keys, as in an army set up by hand: senders cannot be verified there. */
function sealingOf({ relayDir, role, summoned }: RelaySettings): Sealing | undefined {
  if (summoned?.keys === undefined) return undefined;
  const { keys, secret } = summoned;
  // An agent can start a relay with another role's configuration. Mail from such a relay gets no seal.
  const isStolen = lazily(() => isBelowAnother({ relayDir, role }));
  const keyFor: Sealing["keyFor"] = (to, from) => {
    if (isStolen()) return undefined;
    // As ovld a relay writes to its own agent alone.
    if (from === "ovld") return to === role ? sealKey(secret, "ovld") : undefined;
    return keys[to];
  };
  return { keyFor, secret };
}

/** Undefined outside a summoned army: only that has panes to type into. */
function ringerOf(
  { role, session, relayDir, summoned }: RelaySettings,
  mail: Mail,
  ringer: ProcessIdentity,
  loadBell: () => typeof BellEntry,
): RingForDeadRelay | undefined {
  if (!summoned) return undefined;
  const { zellij } = summoned;
  return (to, report) =>
    loadBell().ringerForDeadRelay({ by: role, ringer, session, relayDir, zellij, mail, env: process.env })(
      to,
      report,
    );
}

/** Long enough for the kernel to finish with a client whose end of the pipe has closed. */
const CLIENT_DEATH_MS = 50;

/** If the client or its terminal died, it may not have read the last answers; their mail is delivered again. */
async function isOrderlyEnd(
  signal: NodeJS.Signals | undefined,
  client: string | undefined,
): Promise<boolean> {
  if (signal === "SIGHUP") return false;
  await pause(CLIENT_DEATH_MS);
  return client !== undefined && isProcessAlive(client);
}

/** In the person's language, because a relay's complaints end up in the log of its client. */
function complainer(load: LoadPart): (error: unknown) => void {
  return (error) => {
    if (error instanceof OvldError) {
      const { TEXTS } = load(`texts-${chooseLanguage(process.env)}`);
      complain(describeError(error.report, TEXTS));
    } else complain(error instanceof Error ? error.message : String(error));
  };
}

/** stderr may have no reader, and a full pipe would block the relay, so complaints stop at this number. */
const MOST_COMPLAINTS = 20;
let complaints = 0;

/** Uses stderr, because stdout carries only the protocol. */
function complain(sentence: string): void {
  complaints += 1;
  if (complaints <= MOST_COMPLAINTS) print("stderr", `ovld relay: ${cleanLine(sentence).slice(0, 500)}\n`);
}
