/**
 * Follows one army for the pages that show it: its view, what its agents ask, its journal and what it has used. It
 * looks when a file has changed, and once a second. Nobody follows an army that no page shows.
 */
import type { SeenSessions } from "../view/describe-session.ts";
import { describeArmy, describeArchived, type ArmyView } from "../view/describe-army.ts";
import { ROLES } from "../army/roles.ts";
import { oneAtATime } from "../system/async.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { ArmyMail } from "../summon/army.ts";
import {
  openRequestBox,
  type RequestBox,
  type StoredRequest,
  openRequests,
} from "../requests/request-box.ts";
import { identifyOurselves } from "../system/process.ts";
import { toBriefEntry, type BriefEntry } from "../view/format-entry.ts";
import { followUsage, type UsageByRole } from "./follow-usage.ts";

/** What pages are told: the present state of something, or what was added to the journal. */
export type FeedEvent =
  /** Null if there is no such army. */
  | { event: "army"; view: ArmyView | null; isArchived: boolean }
  | { event: "requests"; requests: StoredRequest[] }
  | { event: "usage"; usage: UsageByRole }
  | { event: "trouble"; trouble: string }
  /** "many": more than is sent, so the page reads the part that it shows. */
  | { event: "entries"; entries: BriefEntry[] | "many" }
  /** Sent first and then regularly, with the time of day. */
  | { event: "beat"; now: number };

type SendEvent = (event: FeedEvent) => void;

/** An army from the archive can only be looked at, even if a running one has its name. */
export interface ShownArmy extends ArmyMail {
  isArchived: boolean;
}

export interface ArmyFeed {
  /** The person's view of what the agents ask. */
  box: RequestBox;
  /** Sends the present state and then every change, until the returned function is called. */
  subscribe: (send: SendEvent) => () => void;
  /** The next look asks Zellij: something has changed in the panes. */
  forgetPanes: () => void;
  close: () => void;
}

/** Seldom: a call of Zellij that runs while a person quits keeps their session alive. */
const ASK_ZELLIJ_EVERY_MS = 30_000;
const READ_USAGE_EVERY_MS = 3_000;
/** If more happened at once, the page reads the part that it shows. */
const MOST_ENTRIES = 500;

export function feedArmy(context: CommandContext, army: ShownArmy): ArmyFeed {
  const listeners = new Set<SendEvent>();
  const last = new Map<FeedEvent["event"], { event: FeedEvent; text: string }>();
  const box = openRequestBox(army.relayDir);
  const seen: SeenSessions = new Map();
  let stop: (() => void) | undefined;

  const publish: SendEvent = (event) => {
    // A state that has not changed is known.
    if (event.event !== "entries") {
      const text = JSON.stringify(event);
      if (last.get(event.event)?.text === text) return;
      last.set(event.event, { event, text });
    }
    for (const send of listeners) send(event);
  };

  return {
    box,
    subscribe(send) {
      for (const { event } of last.values()) send(event);
      listeners.add(send);
      stop ??= follow(context, { army, box, seen }, publish);
      return () => {
        listeners.delete(send);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
        // The next page gets the state of its own time.
        last.clear();
      };
    },
    forgetPanes: () => seen.clear(),
    close: () => stop?.(),
  };
}

function follow(
  context: CommandContext,
  { army, box, seen }: { army: ShownArmy; box: RequestBox; seen: SeenSessions },
  publish: SendEvent,
): () => void {
  const { mail } = army;
  const over = new AbortController();
  const announcement = announceDesk(box);
  const describe = async (): Promise<ArmyView | null> => {
    if (!mail.exists()) return null;
    if (army.isArchived) return describeArchived(army);
    return describeArmy(context, army, { seen, askEveryMs: ASK_ZELLIJ_EVERY_MS });
  };
  const look = oneAtATime(async () => {
    try {
      if (over.signal.aborted) return;
      const view = await describe();
      if (over.signal.aborted) return;
      // Nobody asks in an army that is not running, and its files stay as they are.
      announcement.keep(view !== null && view.state !== "gone");
      publish({ event: "army", view, isArchived: army.isArchived });
    } catch (error) {
      // The store may be removed or damaged in the middle of a look; the next one says how it is.
      const trouble = error instanceof Error ? error.message : String(error);
      if (!over.signal.aborted) publish({ event: "trouble", trouble });
    }
  });
  const journal = mail.journal(context.now());
  // What was written before is part of what the page reads by itself.
  for (const _ of journal.next());
  const readJournal = (): void => {
    try {
      const entries = Array.from(journal.next(), toBriefEntry);
      if (entries.length > MOST_ENTRIES) publish({ event: "entries", entries: "many" });
      else if (entries.length > 0) publish({ event: "entries", entries });
    } catch {
      // A journal that cannot be read right now is read at the next look.
    }
    look();
  };
  const lookAtRequests = (): void => publish({ event: "requests", requests: openRequests(box) });
  const how = { rescanMs: 1_000 };
  const watches = [
    mail.watchJournal(readJournal, how),
    mail.watchReports(look, how),
    ...ROLES.map((role) => box.watch(role, lookAtRequests, how)),
  ];
  const stopCounting = followUsage(
    context.env,
    army,
    (usage) => publish({ event: "usage", usage }),
    READ_USAGE_EVERY_MS,
  );
  lookAtRequests();
  look();
  return () => {
    over.abort();
    announcement.keep(false);
    stopCounting();
    for (const watch of watches) watch.close();
  };
}

/** While a page shows the requests, nobody need be notified of them in another way. */
function announceDesk(box: RequestBox): { keep: (isOpen: boolean) => void } {
  let withdraw: (() => void) | undefined;
  return {
    keep(isOpen) {
      try {
        if (!isOpen) withdraw?.();
        withdraw = isOpen ? (withdraw ?? box.openDesk(identifyOurselves())) : undefined;
      } catch {
        // The store is being removed, or cannot be written to.
      }
    },
  };
}
