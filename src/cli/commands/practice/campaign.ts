/** A practice campaign as the journal describes it: which mail went where, and each role's status. Pure. */
import { ROLES, type Role, type Sender } from "../../../army/roles.ts";
import type { JournalEntry } from "../../../mail/journal/journal-entry.ts";
import type { StatusWord } from "../../../army/words.ts";

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

export function follow(campaign: Campaign, entry: JournalEntry): Campaign {
  const progress = entry.at;
  switch (entry.event) {
    case "stored": {
      const { id, from, to, subject, at } = entry;
      const message = { id, from, to, subject, stored: at, read: campaign.readEarly[id] };
      return { ...campaign, progress, messages: [...campaign.messages, message] };
    }
    case "read": {
      if (!campaign.messages.some(({ id }) => id === entry.id)) {
        return { ...campaign, progress, readEarly: { ...campaign.readEarly, [entry.id]: entry.at } };
      }
      const messages = campaign.messages.map((each) =>
        each.id === entry.id ? { ...each, read: each.read ?? entry.at } : each,
      );
      return { ...campaign, progress, messages };
    }
    case "status": {
      const { role, status, task } = entry;
      return { ...campaign, progress, standings: { ...campaign.standings, [role]: { status, task } } };
    }
    case "begun":
    case "asked":
    case "answered":
      return { ...campaign, progress };
    // Ringing again and again is not progress.
    case "rung":
    case "held":
    case "unanswered":
    case "failed":
    case "ritual":
    case "conversation":
    case "quarantined":
    case "skipped":
    case "dropped":
    case "ended":
    case "returned":
      return campaign;
  }
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
