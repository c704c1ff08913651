/**
 * Opens what a relay needs for its tools: the mail, the tools, and the session with its agent. It is in a bundle of its
 * own with everything it imports, which is loaded when the tools are first listed or called.
 */
import { linkOfArmy } from "../agent/agent-link.ts";
import type { Language } from "../army/words.ts";
import { awaitBellOutcome } from "../bell/await-bell-outcome.ts";
import { createBell, type RelayPlace } from "../bell/create-bell.ts";
import { ringerForDeadRelay } from "../bell/ring-for-dead-relay.ts";
import { configuredLanguage } from "../config/folders.ts";
import type { RelaySettings } from "../config/relay-settings.ts";
import type * as English from "../i18n/en.ts";
import { chooseLanguage } from "../i18n/language.ts";
import type { Machines } from "../mail/other-machines.ts";
import { openMail } from "../mail/mail.ts";
import { openPost } from "../mail/post.ts";
import { notifyPerson } from "../requests/notify-person.ts";
import { startRitual, trackRitual } from "../rituals/giving/own-ritual.ts";
import { lazily } from "../system/async.ts";
import type { ProcessIdentity } from "../system/process.ts";
import type { Environment } from "../system/run-program.ts";
import { openAgentSession, type StartPart } from "./agent-session.ts";
import { announceReturn } from "./announce-return.ts";
import type { AnswerDelivery } from "./answer-delivery.ts";
import { answerFromOutside } from "./answer-from-outside.ts";
import { complainer } from "./complain.ts";
import { joinOtherMachines } from "./join-other-machines.ts";
import { followConversation } from "./keep-conversation.ts";
import type { Tools } from "./protocol.ts";
import { createTools } from "./tools/create-tools.ts";

/** The tools, the mail between machines and the texts are built into files of their own. */
export interface LoadPart {
  (name: "tools"): { openTools: typeof openTools };
  (name: "machines"): Machines;
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

export function openTools(started: StartedRelay): OpenTools {
  const { settings, env, relay, delivery, load } = started;
  const { role, session, relayDir, limits, summoned } = settings;
  // A relay that starts while its army is being ended must not recreate the army's folder.
  const known = summoned !== undefined;
  const mail = openMail(relayDir, { known, limits, origin: { program: "relay", role } });
  const complainOf = complainer(load, env);
  const part = joinOtherMachines(settings, { mail, env, relay, load, complainOf });
  const agentLink = lazily(() => linkOfArmy(mail));
  const place: RelayPlace = {
    role,
    session,
    relayDir,
    summoned,
    mail,
    env,
    agentLink,
    relay,
    agent: { pid: process.ppid, identity: summoned && started.agent },
  };
  const agentSession = openAgentSession({
    secret: summoned?.secret,
    hooks: () => agentLink().hooks,
    parts: partsOf(place, started, complainOf),
    complainOf,
  });
  // Only a summoned army has panes to type into.
  const ringForDeadRelay =
    summoned &&
    ringerForDeadRelay({ by: role, ringer: relay, session, relayDir, zellij: summoned.zellij, mail, env });
  const tools = createTools(
    {
      role,
      mail,
      isHere: (each) => part?.isHere(each) ?? true,
      post: openPost(mail, part),
      awaitBellOutcome: (message) => awaitBellOutcome(mail, message, ringForDeadRelay),
      texts: () => load("texts-en").TEXTS,
      delivery,
      onAsked: (messages) => agentSession.onAsked(messages),
    },
    agentSession,
  );
  return {
    ...tools,
    close() {
      part?.close();
      agentSession.close();
    },
  };
}

/** What a relay does for its agent, in the order in which it begins. */
function partsOf(
  place: RelayPlace,
  { delivery, load, env }: StartedRelay,
  complainOf: (error: unknown) => void,
): StartPart[] {
  const { role, session, mail, relay, agent } = place;
  const ritual = trackRitual(place);
  const bell = lazily(() => createBell(place, { ritual, areAnswersAwaited: () => delivery.areAwaited() }));
  const notify = (tool: string): void => {
    const { TEXTS } = load(`texts-${chooseLanguage(env, { config: configuredLanguage(env) })}`);
    notifyPerson({ title: TEXTS.answer.notification(role, session), body: tool }, env);
  };
  return [
    () => {
      mail.announce({ role, relay, agent: agent.identity });
      return { close: () => mail.withdraw(relay) };
    },
    () => followConversation(place, complainOf),
    bell,
    () => startRitual(place, ritual, bell()),
    () => (agent.identity === undefined ? undefined : announceReturn({ role, mail, agent: agent.identity })),
    () => answerFromOutside(place, notify),
  ];
}
