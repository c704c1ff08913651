/**
 * Opens what a relay needs for its tools: the mail, the tools, and the session with its agent. It is in a bundle of its
 * own with everything it imports, which is loaded when the tools are first listed or called.
 */
import { join } from "node:path";
import { linkOfArmy } from "../agent/agent-link.ts";
import { environmentForArmy } from "../agent/army-process.ts";
import { parseCommand } from "../army/command.ts";
import { hostOf, type Recipient, type Role, type Spender } from "../army/roles.ts";
import type { Language } from "../army/words.ts";
import { awaitBellOutcome, ringerForDeadRelay } from "../bell/await-bell-outcome.ts";
import { applyBrake, isBraked, type Brake } from "../bell/brake.ts";
import { createBell, type RelayPlace } from "../bell/create-bell.ts";
import type { BudgetState } from "../bell/judge-budget.ts";
import { configuredLanguage } from "../config/folders.ts";
import type { RelaySettings } from "../config/relay-settings.ts";
import { chooseLanguage } from "../i18n/language.ts";
import type { Texts } from "../i18n/texts.ts";
import { openPost, type Machines, type RolePart } from "../mail/other-machines.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import type { Message } from "../mail/store/message.ts";
import { storePaths, WORK_FOLDER } from "../mail/store/paths.ts";
import { createRitual } from "../rituals/giving/own-ritual.ts";
import { lazily } from "../system/async.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { ProcessIdentity } from "../system/process.ts";
import { startAndForget, type Environment } from "../system/run-program.ts";
import { openAgentSession, type StartPart } from "./agent-session.ts";
import { announceReturn } from "./announce-return.ts";
import type { AnswerDelivery } from "./answer-delivery.ts";
import { answerFromOutside } from "./answer-from-outside.ts";
import { followOrders } from "./follow-orders.ts";
import { landWork, shareTasks, tasksIn } from "./land-work.ts";
import { followConversation } from "./keep-conversation.ts";
import { lookAtOrders } from "./look-at-orders.ts";
import type { Tools } from "./protocol.ts";
import { openTelling, type Telling } from "./tell-person.ts";
import type { BudgetWatch, watchBudget } from "./watch-budget.ts";
import { createTools } from "./tools/mail-tools.ts";
import { openWork } from "../work/work.ts";

/** The tools, the mail between machines and the texts are built into files of their own. */
export interface LoadPart {
  (name: "tools"): { openTools: typeof openTools };
  (name: "spending"): { watchBudget: typeof watchBudget };
  (name: "machines"): Machines;
  (name: `texts-${Language}`): Texts;
}

export interface StartedRelay {
  settings: RelaySettings;
  env: Environment;
  /** Identities of this process and of the agent that started it. */
  relay: ProcessIdentity;
  agent: ProcessIdentity | undefined;
  delivery: AnswerDelivery;
  load: LoadPart;
  /** Says on stderr what went wrong. */
  complainOf: (error: unknown) => void;
}

export type OpenTools = ReturnType<typeof openTools>;

export function openTools(started: StartedRelay): Tools & { close(): void } {
  const { settings, env, relay, delivery, load, complainOf } = started;
  const { role, session, relayDir, limits, summoned } = settings;
  // A relay that starts while its army is being ended must not recreate the army's folder.
  const known = summoned !== undefined;
  const texts = (): Texts => load(`texts-${chooseLanguage(env, { config: configuredLanguage(env) })}`);
  const telling = openTelling({ settings, env, mail: () => mail, texts });
  const onStored = (message: Message): void => telling.ofMail(message);
  const mail = openMail(relayDir, { known, limits, origin: { program: "relay", role }, onStored });
  const part = joinOtherMachines(started, mail);
  const agentLink = lazily(() => linkOfArmy(mail));
  const agent = { pid: process.ppid, identity: summoned && started.agent };
  const place: RelayPlace = { ...settings, mail, env, agentLink, relay, agent };
  const brake = applyBrake({ role, mail, most: summoned?.brake ?? 0 });
  const post = openPost(mail, part);
  const sentAway = new Map<Recipient, number>();
  const { parts, isBudgetReached } = partsOf(place, started, { brake, telling, texts, part, sentAway });
  const agentSession = openAgentSession({
    secret: summoned?.secret,
    hooks: () => agentLink().hooks,
    parts,
    complainOf,
  });
  // Only a summoned army has panes to type into.
  const ringForDeadRelay =
    summoned &&
    ringerForDeadRelay({
      by: role,
      ringer: relay,
      session,
      relayDir,
      zellij: summoned.zellij,
      mail,
      env,
      isBudgetReached,
    });
  const tools = createTools(
    {
      role,
      mail,
      isHere: (each) => part?.isHere(each) ?? true,
      order: parseCommand(summoned?.command ?? ""),
      post(draft) {
        if (part?.isHere(hostOf(draft.to)) === false) sentAway.set(draft.to, performance.now());
        return post(draft);
      },
      awaitBellOutcome(message) {
        const isHeld = isBraked([message], [], summoned?.brake ?? 0);
        return awaitBellOutcome(mail, message, isHeld ? undefined : ringForDeadRelay);
      },
      texts: () => load("texts-en"),
      delivery,
      tasksOf: tasksIn(relayDir, env),
      onAsked: (messages) => agentSession.onAsked(messages),
      nextTalk: summoned && (() => brake.next()),
    },
    agentSession,
  );
  return {
    ...tools,
    close() {
      part?.close();
      telling.close();
      agentSession.close();
    },
  };
}

interface Company {
  brake: Brake;
  telling: Telling;
  /** In the person's language. */
  texts: () => Texts;
  part: RolePart | undefined;
  sentAway: ReadonlyMap<Recipient, number>;
}

/** What a relay does for its agent, in the order in which it begins. */
function partsOf(
  place: RelayPlace,
  started: StartedRelay,
  { brake, telling, texts, part, sentAway }: Company,
): { parts: StartPart[]; isBudgetReached: (by: Role) => boolean } {
  const { load, delivery, complainOf } = started;
  const { role, relayDir, mail, env, relay, agent } = place;
  const budget = lazily(() => openBudget(place, started, () => bell().lookAgain()));
  const isBudgetReached = (by: Role = role): boolean => budget()?.isReached(by) ?? false;
  const ritual = createRitual(place, isBudgetReached);
  const textsFor = (reader: Recipient): Texts => (reader === "human" ? texts() : load("texts-en"));
  const orders = followOrders({
    place,
    view: lookAtOrders(mail, openWork(join(relayDir, WORK_FOLDER), env), sentAway),
    deliver(draft) {
      if (part === undefined || part.isHere(hostOf(draft.to)))
        return mail.deliver({ from: "ovld", ...draft });
      // A hub lets ovld write only to the role of its relay.
      return part.deliver({ from: role, ...draft }).catch(complainOf);
    },
    textsFor,
    isBudgetReached,
    complainOf,
  });
  const areAnswersAwaited = (): boolean => delivery.areAwaited();
  const bell = lazily(() =>
    createBell(place, { brake, isBudgetReached, ritual, areAnswersAwaited, wasRead: orders.wasRead }),
  );
  const parts: StartPart[] = [
    () => {
      mail.announce({ role, relay, agent: agent.identity });
      return { close: () => mail.withdraw(relay) };
    },
    () => followConversation(place, complainOf),
    budget,
    bell,
    () => orders.follow(bell()),
    () => ritual.start(bell()),
    () => (agent.identity === undefined ? undefined : announceReturn({ role, mail, agent: agent.identity })),
    () => answerFromOutside(place, telling.ofRequest),
    () => landWork(place, complainOf, textsFor),
  ];
  return { parts, isBudgetReached };
}

/** Undefined for an army without a budget, which loads nothing for it. */
function openBudget(place: RelayPlace, started: StartedRelay, onChange: () => void): BudgetWatch | undefined {
  const { role, mail, relayDir, summoned } = place;
  const { load, env, complainOf } = started;
  const limits = mail.army()?.budget ?? summoned?.budget;
  if (limits === undefined || Object.keys(limits).length === 0) return undefined;
  const tell = (spender: Spender, state: BudgetState): void => {
    const texts = load(`texts-${chooseLanguage(env, { config: configuredLanguage(env) })}`);
    const { subject, body } = texts.budget.news(spender, state[spender]);
    mail.deliver({ from: "ovld", to: "human", subject, body, priority: "normal" });
  };
  return load("spending").watchBudget({ role, mail, relayDir, env, limits, tell, onChange, complainOf });
}

/** Undefined for an army on one machine. */
function joinOtherMachines(started: StartedRelay, mail: Mail): RolePart | undefined {
  const { settings, env, relay, load, complainOf } = started;
  const { role, session, relayDir, limits, partFile } = settings;
  if (partFile === undefined) return undefined;
  try {
    // Creates the store if need be, and refuses to do so for an army that is being ended.
    mail.status(role);
  } catch (error) {
    complainOf(error);
    return undefined;
  }
  return load("machines").takePart({
    role,
    path: partFile,
    mail,
    folder: storePaths(relayDir).machines,
    limits,
    origin: { program: "relay", role, process: relay },
    onEnd: () => endArmyHere(session, env),
    complain: (report) => complainOf(new OvldError(report)),
    tasks: shareTasks({ role, relayDir, mail, env }, () => load("texts-en"), complainOf),
  });
}

/** A shell that ends at once leaves the command without a parent that belongs to an agent. */
const OUTSIDE = '"$0" "$@" </dev/null >/dev/null 2>&1 &';

/**
 * Ends the army on this machine because the person has ended it everywhere. The command runs outside of the agents'
 * processes, because it ends them all, and as the person's: the hub lets only the person give this order.
 */
function endArmyHere(session: string, env: Environment): void {
  const [, file = ""] = process.argv;
  const own = Object.entries(environmentForArmy(env)).filter(([name]) => !/^OVLD_(?!TEST)/.test(name));
  const command = [process.execPath, file, "unsummon", "--army", session, "--yes", "--force"];
  startAndForget("/bin/sh", ["-c", OUTSIDE, ...command], Object.fromEntries(own));
}
