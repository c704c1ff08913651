/**
 * Opens what a relay needs for its tools: the mail, the tools, and the session with its agent. It is loaded with the
 * bell when the tools are first listed or called.
 */
import type { Language } from "../army/words.ts";
import { awaitBellOutcome, type RingForDeadRelay } from "../bell/await-bell-outcome.ts";
import { configuredLanguage } from "../config/folders.ts";
import type { Environment } from "../system/run-program.ts";
import type { RelaySettings } from "../config/relay-settings.ts";
import type * as English from "../i18n/en.ts";
import { chooseLanguage } from "../i18n/language.ts";
import type * as HubMail from "../machines/carrier/hub-mail.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import { openPost } from "../mail/post.ts";
import { storePaths } from "../mail/store/paths.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { ProcessIdentity } from "../system/process.ts";
import { openAgentSession } from "./agent-session.ts";
import type { AnswerDelivery } from "./answer-delivery.ts";
import type * as BellEntry from "./bell-entry.ts";
import { complainer } from "./complain.ts";
import { endArmyHere } from "./end-army-here.ts";
import type { Tools } from "./protocol.ts";
import { createTools } from "./tools/create-tools.ts";
import type { ToolContext } from "./tools/tool.ts";

/** The bell, the mail between machines and the texts are built into files of their own. */
export interface LoadPart {
  (name: "bell"): typeof BellEntry;
  (name: "hub-mail"): typeof HubMail;
  (name: `texts-${Language}`): typeof English;
}

interface StartedRelay {
  settings: RelaySettings;
  env: Environment;
  /** Identities of this process and of the agent that started it. */
  relay: ProcessIdentity;
  agent: ProcessIdentity | undefined;
  delivery: AnswerDelivery;
  load: LoadPart;
}

export interface OpenTools extends Tools {
  close(): void;
}

export function openTools({ settings, env, relay, agent, delivery, load }: StartedRelay): OpenTools {
  const { role, relayDir, limits, summoned } = settings;
  // A relay that starts while its army is being ended must not recreate the army's folder.
  const mail = openMail(relayDir, {
    known: summoned !== undefined,
    limits,
    origin: { program: "relay", role },
  });
  const complainOf = complainer(load, env);
  const part = takePart(settings, { mail, env, relay, load, complainOf });
  const loadBell = (): typeof BellEntry => load("bell");
  const agentSession = openAgentSession({
    settings,
    mail,
    env,
    relay,
    agent,
    delivery,
    loadBell,
    loadTexts: () => load(`texts-${chooseLanguage(env, { config: configuredLanguage(env) })}`),
    complainOf,
  });
  const ringForDeadRelay = ringerOf(settings, { mail, env, relay }, loadBell);
  const context: ToolContext = {
    role,
    mail,
    isHere: (each) => part?.isHere(each) ?? true,
    post: openPost(mail, part),
    awaitBellOutcome: (message) => awaitBellOutcome(mail, message, ringForDeadRelay),
    texts: () => load("texts-en").TEXTS,
    delivery,
    onAsked: (messages) => agentSession.onAsked(messages),
  };
  return {
    ...createTools(context, agentSession),
    close() {
      part?.close();
      agentSession.close();
    },
  };
}

interface PartNeeds {
  mail: Mail;
  env: Environment;
  relay: ProcessIdentity;
  load: LoadPart;
  complainOf: (error: unknown) => void;
}

/** Undefined for an army on one machine. */
function takePart(
  { role, session, relayDir, limits, hub }: RelaySettings,
  { mail, env, relay, load, complainOf }: PartNeeds,
): HubMail.Part | undefined {
  if (hub === undefined) return undefined;
  try {
    // Creates the store if need be, and refuses to do so for an army that is being ended.
    mail.status(role);
  } catch (error) {
    complainOf(error);
    return undefined;
  }
  return load("hub-mail").takePart({
    role,
    path: hub,
    mail,
    folder: storePaths(relayDir).hub,
    limits,
    origin: { program: "relay", role, process: relay },
    onEnd: () => endArmyHere(session, env),
    complain: (report) => complainOf(new OvldError(report)),
  });
}

/** Undefined outside a summoned army: only that has panes to type into. */
function ringerOf(
  { role, session, relayDir, summoned }: RelaySettings,
  { mail, env, relay: ringer }: { mail: Mail; env: Environment; relay: ProcessIdentity },
  loadBell: () => typeof BellEntry,
): RingForDeadRelay | undefined {
  if (!summoned) return undefined;
  const { zellij } = summoned;
  return (to, report) =>
    loadBell().ringerForDeadRelay({ by: role, ringer, session, relayDir, zellij, mail, env })(to, report);
}
