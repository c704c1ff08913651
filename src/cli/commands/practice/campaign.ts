/** A practice campaign as the journal describes it: which mail went where, and each role's status. */
import { ROLES, type Role, type Sender } from "../../../army/roles.ts";
import type { JournalEntry } from "../../../mail/journal/journal-entry.ts";
import type { StatusWord } from "../../../army/words.ts";
import { type Mail, openMail } from "../../../mail/mail.ts";
import { listArmies } from "../../../summon/archive/list-armies.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import type { CommandContext } from "../../../command/command-context.ts";

export interface CampaignMessage {
  id: string;
  from: Sender;
  to: Role;
  subject: string;
  stored: string;
  /** Undefined until it is read. */
  read: string | undefined;
}

interface Standing {
  status: StatusWord;
  task: string;
}

export interface Campaign {
  /** In the order they were stored. */
  messages: readonly CampaignMessage[];
  standings: Readonly<Record<Role, Standing>>;
  /** When the army last made progress. */
  progress: string | undefined;
  /** Mail that was read before its sender's machine said that it was stored: its id, and when it was read. */
  readEarly: Readonly<Record<string, string>>;
}

const AT_FIRST: Standing = { status: "idle", task: "" };

export const NO_CAMPAIGN: Campaign = {
  messages: [],
  standings: {
    overlord: AT_FIRST,
    strategist: AT_FIRST,
    inferno: AT_FIRST,
    glacier: AT_FIRST,
    shadow: AT_FIRST,
    storm: AT_FIRST,
  },
  progress: undefined,
  readEarly: {},
};

/** Other events, such as a bell that rings again and again, are not progress. */
const PROGRESS: readonly JournalEntry["event"][] = ["stored", "read", "status", "begun", "asked", "answered"];

export function follow(before: Campaign, entry: JournalEntry): Campaign {
  if (!PROGRESS.includes(entry.event)) return before;
  const campaign = { ...before, progress: entry.at };
  const { messages, standings, readEarly } = before;
  if (entry.event === "stored") {
    const { id, from, to, subject, at } = entry;
    return {
      ...campaign,
      messages: [...messages, { id, from, to, subject, stored: at, read: readEarly[id] }],
    };
  }
  if (entry.event === "read") {
    const { id, at } = entry;
    return messages.some((message) => message.id === id)
      ? {
          ...campaign,
          messages: messages.map((each) => (each.id === id ? { ...each, read: each.read ?? at } : each)),
        }
      : { ...campaign, readEarly: { ...readEarly, [id]: at } };
  }
  if (entry.event !== "status") return campaign;
  const { role, status, task } = entry;
  return { ...campaign, standings: { ...standings, [role]: { status, task } } };
}

/** The overlord has answered the person, and no mail is unread. */
export function isFulfilled({ messages, standings }: Campaign): boolean {
  return (
    messages.length > 0 &&
    standings.overlord.status === "done" &&
    messages.every(({ read }) => read !== undefined)
  );
}

export function isEverybodyDone({ standings }: Campaign): boolean {
  return ROLES.every((role) => standings[role].status === "done");
}

export function unreadOf({ messages }: Campaign): CampaignMessage[] {
  return messages.filter(({ read }) => read === undefined);
}

export interface CampaignWatch {
  /** What is known so far. */
  campaign(): Campaign;
  /**
   * Resolves when the wish is fulfilled, when there was no progress for too long, or when the campaign is no longer
   * watched.
   */
  over: Promise<void>;
  /** Takes a last look; reports nothing afterwards. */
  close(): Campaign;
}

export interface WatchedCampaign {
  mail: Pick<Mail, "exists" | "journal" | "watchJournal">;
  patienceMs: number;
  stop: AbortSignal;
  /** Called for every entry as it happens, with what is known then. */
  onEntry: (entry: JournalEntry, campaign: Campaign) => void;
}

/** When the wish is fulfilled, the last roles may not have updated their status yet. */
const SETTLE_MS = 3_000;

/** Follows a campaign in the journal from its beginning. */
export function watchCampaign({ mail, patienceMs, stop, onEntry }: WatchedCampaign): CampaignWatch {
  const journal = mail.journal();
  let campaign = NO_CAMPAIGN;
  let closed = false;
  let progressAt = performance.now();
  const look = (): void => {
    if (closed) return;
    for (const entry of journal.next()) {
      const before = campaign.progress;
      campaign = follow(campaign, entry);
      if (campaign.progress !== before) progressAt = performance.now();
      onEntry(entry, campaign);
    }
  };
  const isOver = (): boolean => {
    // The session has been ended.
    if (!mail.exists()) return true;
    const quiet = performance.now() - progressAt;
    if (isFulfilled(campaign)) return isEverybodyDone(campaign) || quiet > SETTLE_MS;
    return quiet > patienceMs;
  };
  const over = new Promise<void>((resolve) => {
    const check = (): void => {
      look();
      if (!closed && !stop.aborted && !isOver()) return;
      watch.close();
      resolve();
    };
    const watch = mail.watchJournal(check, { rescanMs: 250, keepAlive: true });
    stop.addEventListener("abort", check);
  });
  return {
    campaign: () => campaign,
    over,
    close() {
      look();
      closed = true;
      return campaign;
    },
  };
}

/** A campaign that was cut off: which army it was, and what it was asked for. */
export interface CutOffCampaign {
  session: string;
  wish: string;
}

/** How `ovld practice` calls its armies if it is given no name. */
export const CAMPAIGN_NAME = "practice";

/** The last one in this folder, or the one with this name. Throws if there is none. */
export function findCampaign({ env, cwd }: CommandContext, asked: string | undefined): CutOffCampaign {
  const campaigns = listArmies(env)
    .filter(({ state, agent, folder }) => state === "crashed" && agent === "practice" && folder === cwd)
    .filter(({ name }) => (asked === undefined ? name.startsWith(`${CAMPAIGN_NAME}-`) : name === asked))
    .toSorted((one, other) => Date.parse(other.ended?.at ?? "") - Date.parse(one.ended?.at ?? ""));
  for (const { name, path } of campaigns) {
    const wish = wishIn(path);
    if (wish !== undefined) return { session: name, wish };
  }
  throw new OvldError({
    code: "nothing-to-resume",
    facts: { session: asked ?? CAMPAIGN_NAME, folder: cwd },
  });
}

/** Undefined if the army was cut off before it was asked for anything. */
function wishIn(relayDir: string): string | undefined {
  for (const entry of openMail(relayDir).journal().next()) {
    if (entry.event === "stored" && entry.from === "human" && entry.to === "overlord") return entry.body;
  }
  return undefined;
}
