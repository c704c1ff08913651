/** Follows a campaign in the journal from its beginning until it is over, gets stuck, or is no longer watched. */
import type { JournalEntry } from "../../../mail/journal/journal-entry.ts";
import type { Mail } from "../../../mail/mail.ts";
import { follow, isEverybodyDone, isFulfilled, NO_CAMPAIGN, type Campaign } from "./campaign.ts";

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
  /** Called for every entry as it happens. */
  onEntry: (entry: JournalEntry) => void;
}

const LOOK_EVERY_MS = 250;
/** When the wish is fulfilled, the last roles may not have updated their status yet. */
const SETTLE_MS = 3_000;

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
      onEntry(entry);
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
    const watch = mail.watchJournal(check, { rescanMs: LOOK_EVERY_MS, keepAlive: true });
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
