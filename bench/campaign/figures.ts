/** Computes a campaign's figures from what was stored, what the models saw, and what the watch saw. Pure. */
import type { Role } from "../../src/army/roles.ts";
import type { Priority } from "../../src/army/words.ts";
import type { ArmyWatch } from "./watch-army.ts";
import type { CampaignRecord, SeenRequest } from "./record.ts";
import type { HookTimes } from "./time-hooks.ts";
import type { Weight } from "./weigh-request.ts";

/** As in the journal. */
export interface StoredMessage {
  at: string;
  to: Role;
  body: string;
  priority: Priority;
}

export interface Figures {
  messages: number;
  seconds: number;
  /** Stored but never shown to its reader. */
  lost: string[];
  /** Shown more than once without a redelivery mark. */
  doubled: string[];
  /** Bells that led to an empty inbox, in their own words. */
  empty: string[];
  /** How often the brake held mail: agents that work need none. */
  braked: number;
  /** Who was reminded of an order or told of one, although every agent here does its work. */
  reminders: string[];
  longestIdleWithUnread: number;
  /** Milliseconds from the store to the model, by what the reader was doing. */
  delays: { idle: number[]; busy: number[]; urgent: number[] };
  /** The least that an idle reader's delay can be. */
  floor: number[];
  states: { samples: number; wrong: number; stayedWrong: number };
  requests: { count: number; inbox: number; coordination: number };
  /** For all requests together. */
  weight: Weight;
  relays: { mebibytes: number; cpuSeconds: number };
  turns: number;
  hooks: HookTimes;
}

export interface Findings {
  stored: StoredMessage[];
  braked: number;
  reminders: string[];
  record: CampaignRecord;
  watch: ArmyWatch;
  seconds: number;
  floor: number[];
  hooks: HookTimes;
}

export function computeFigures(findings: Findings): Figures {
  const { stored, braked, reminders, record, watch, seconds, floor, hooks } = findings;
  const { requests, turns, emptyBells } = record;
  const sumOf = (count: (request: SeenRequest) => number): number =>
    requests.reduce((sum, request) => sum + count(request), 0);
  const shownTo = ({ to, body }: StoredMessage) => record.shown(to, markOf(body));
  return {
    messages: stored.length,
    seconds,
    lost: stored.filter((message) => shownTo(message).length === 0).map(nameOf),
    doubled: stored
      .filter((message) => shownTo(message).filter(({ redelivered }) => !redelivered).length > 1)
      .map(nameOf),
    empty: [...emptyBells],
    braked,
    reminders,
    longestIdleWithUnread: watch.longestIdleWithUnread().ms,
    delays: delaysOf(stored, record, watch),
    floor,
    states: { ...watch.states() },
    requests: {
      count: requests.length,
      inbox: sumOf(({ answer }) => (answer === "inbox" ? 1 : 0)),
      coordination: sumOf(({ answer }) => (answer === "work" ? 0 : 1)),
    },
    weight: {
      whole: sumOf(({ whole }) => whole),
      tools: sumOf(({ tools }) => tools),
      calls: sumOf(({ calls }) => calls),
      bells: sumOf(({ bells }) => bells),
      caution: sumOf(({ caution }) => caution),
      words: sumOf(({ words }) => words),
      rituals: sumOf(({ rituals }) => rituals),
    },
    relays: { mebibytes: watch.memory(), cpuSeconds: watch.cpuSeconds() },
    turns,
    hooks,
  };
}

/** Mail to an agent that asks the person something waits for the person, so it does not count as a delay. */
function delaysOf(stored: StoredMessage[], record: CampaignRecord, watch: ArmyWatch): Figures["delays"] {
  const delays: Figures["delays"] = { idle: [], busy: [], urgent: [] };
  for (const { at, to, body, priority } of stored) {
    const began = Date.parse(at);
    const state = watch.stateAt(to, began);
    const [first] = record.shown(to, markOf(body));
    if (first === undefined || (state !== "idle" && state !== "busy")) continue;
    delays[priority === "urgent" ? "urgent" : state].push(first.at - began);
  }
  return delays;
}

function markOf(body: string): string {
  return /^Dispatch ([a-z0-9-]+)\./.exec(body)?.[1] ?? body;
}

function nameOf({ to, body }: StoredMessage): string {
  return `${markOf(body)} to ${to}`;
}
