/**
 * Follows one army for the pages that show it: its view, what its agents ask, its journal and what it has used. It
 * looks when a file has changed, and once a second. Nobody follows an army that no page shows.
 */
import { join } from "node:path";
import { RECIPIENTS, ROLES } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import { WORK_FOLDER } from "../mail/store/paths.ts";
import { watchFolder } from "../mail/store/watch-folder.ts";
import {
  openRequestBox,
  openRequests,
  type RequestBox,
  type StoredRequest,
} from "../requests/request-box.ts";
import type { JournalEntry } from "../mail/journal/journal-entry.ts";
import type { StoredEntry } from "../mail/journal/read-journal.ts";
import { isLetter, lettersIn } from "../person/letters.ts";
import type { ArmyMail } from "../summon/army.ts";
import { oneAtATime } from "../system/async.ts";
import { identifyOurselves } from "../system/process.ts";
import { describeArmy, describeArchived, type ArmyView } from "../view/describe-army.ts";
import type { SeenSessions } from "../view/describe-session.ts";
import { toBriefEntry, type BriefEntry } from "../view/format-entry.ts";
import { followUsage, type UsageByRole } from "../agent/follow-usage.ts";
import { tryTo } from "../system/file-error.ts";

/** What pages are told: the present state of something, or what was added to the journal. */
export type FeedEvent =
  /** Null if there is no such army. */
  | { event: "army"; view: ArmyView | null; isArchived: boolean }
  | { event: "requests"; requests: StoredRequest[] }
  | { event: "letters"; letters: LetterView[] }
  | { event: "usage"; usage: UsageByRole }
  | { event: "trouble"; trouble: string }
  /** "many": more than is sent, so the page reads the part that it shows. */
  | { event: "entries"; entries: BriefEntry[] | "many" }
  /** Sent first and then regularly, with the time of day. */
  | { event: "beat"; now: number };

/** A message between the person and the army. */
export interface LetterView extends Pick<
  StoredEntry,
  "id" | "at" | "from" | "to" | "subject" | "body" | "priority"
> {
  /** Only the beginning of its text is here. */
  isCut: boolean;
  isUnread: boolean;
}

type SendEvent = (event: FeedEvent) => void;

/** An army from the archive can only be looked at, even if a running one has its name. */
export interface ShownArmy extends ArmyMail {
  isArchived: boolean;
}

/** Seldom: a call of Zellij that runs while a person quits keeps their session alive. */
const ASK_ZELLIJ_EVERY_MS = 30_000;
const READ_USAGE_EVERY_MS = 3_000;
/** If more happened at once, the page reads the part that it shows. */
const MOST_ENTRIES = 500;
const MOST_LETTERS = 60;
const MOST_LETTER_CHARACTERS = 3_000;

export type ArmyFeed = ReturnType<typeof feedArmy>;

export function feedArmy(context: CommandContext, army: ShownArmy) {
  const listeners = new Set<SendEvent>();
  /** The pages that show this army, and whether the person can see them. */
  const pages = new Map<string, boolean>();
  const last = new Map<FeedEvent["event"], { event: FeedEvent; text: string }>();
  const box = openRequestBox(army.relayDir);
  const seen: SeenSessions = new Map();
  let stop: (() => void) | undefined;
  let isUp = false;
  let withdraw: (() => void) | undefined;
  /** While the person sees a page that shows the requests, nobody need notify them in another way. */
  const announceDesk = (): void => {
    const isSeen = isUp && [...pages.values()].includes(true);
    // The store is being removed, or cannot be written to.
    tryTo(() => {
      if (!isSeen) withdraw?.();
      withdraw = isSeen ? (withdraw ?? box.openDesk(identifyOurselves())) : undefined;
    });
  };
  const setUp = (isNow: boolean): void => {
    isUp = isNow;
    announceDesk();
  };
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
    /** The person's view of what the agents ask. */
    box,
    /** Sends a page the present state and then every change, until the returned function is called. */
    subscribe: (send: SendEvent, page: string, isVisible: boolean): (() => void) => {
      pages.set(page, isVisible);
      announceDesk();
      for (const { event } of last.values()) send(event);
      listeners.add(send);
      stop ??= follow(context, { army, box, seen }, publish, setUp);
      return () => {
        listeners.delete(send);
        pages.delete(page);
        announceDesk();
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
        setUp(false);
        // The next page gets the state of its own time.
        last.clear();
      };
    },
    /** A page that has no stream is not followed by a person. */
    see(page: string, isVisible: boolean): void {
      if (pages.has(page)) pages.set(page, isVisible);
      announceDesk();
    },
    /** The next look asks Zellij: something has changed in the panes. */
    forgetPanes: () => seen.clear(),
    close(): void {
      stop?.();
      setUp(false);
    },
  };
}

function follow(
  context: CommandContext,
  { army, box, seen }: { army: ShownArmy; box: RequestBox; seen: SeenSessions },
  publish: SendEvent,
  onUp: (isUp: boolean) => void,
): () => void {
  const { mail, isArchived } = army;
  const over = new AbortController();
  const describe = async (): Promise<ArmyView | null> => {
    if (!mail.exists()) return null;
    if (isArchived) return describeArchived(army);
    return describeArmy(context, army, { seen, askEveryMs: ASK_ZELLIJ_EVERY_MS });
  };
  const look = oneAtATime(async () => {
    try {
      if (over.signal.aborted) return;
      const view = await describe();
      if (over.signal.aborted) return;
      // Nobody asks in an army that is not running, and its files stay as they are.
      onUp(view !== null && view.state !== "gone");
      publish({ event: "army", view, isArchived });
      publish({ event: "letters", letters: view === null ? [] : letters.now(view.summoned) });
    } catch (error) {
      // The store may be removed or damaged in the middle of a look; the next one says how it is.
      const trouble = error instanceof Error ? error.message : String(error);
      if (!over.signal.aborted) publish({ event: "trouble", trouble });
    }
  });
  const letters = followLetters(army);
  const journal = mail.journal(context.now());
  // What was written before is part of what the page reads by itself.
  for (const _ of journal.next());
  const readJournal = (): void => {
    // A journal that cannot be read right now is read at the next look.
    tryTo(() => {
      const added = [...journal.next()];
      letters.add(added);
      const entries = added.map(toBriefEntry);
      if (entries.length > MOST_ENTRIES) publish({ event: "entries", entries: "many" });
      else if (entries.length > 0) publish({ event: "entries", entries });
    });
    look();
  };
  const lookAtRequests = (): void => publish({ event: "requests", requests: openRequests(box) });
  const how = { rescanMs: 1_000 };
  const watches = [
    mail.watchJournal(readJournal, how),
    mail.watchReports(look, how),
    // Every step of a task.
    watchFolder(join(army.relayDir, WORK_FOLDER, "board"), look, how),
    ...ROLES.map((role) => box.watch(role, lookAtRequests, how)),
  ];
  const onUsage = (usage: UsageByRole): void => publish({ event: "usage", usage });
  const stopCounting = followUsage(context.env, army, onUsage, READ_USAGE_EVERY_MS);
  lookAtRequests();
  look();
  return () => {
    over.abort();
    stopCounting();
    for (const watch of watches) watch.close();
  };
}

/** The last messages between the person and the army. The journal is searched once for each army in this store. */
function followLetters({ mail }: ShownArmy) {
  let known: string | null | undefined;
  let letters: StoredEntry[] = [];
  const add = (entries: readonly JournalEntry[]): void => {
    const fresh = entries.filter(isLetter).filter(({ id }) => !letters.some((each) => each.id === id));
    letters = [...letters, ...fresh].slice(-MOST_LETTERS);
  };
  return {
    add,
    now(summoned: string | null): LetterView[] {
      if (known !== summoned) {
        known = summoned;
        letters = [];
        add(lettersIn(mail, MOST_LETTERS));
      }
      const waiting = new Set(RECIPIENTS.flatMap((each) => mail.unread(each, { handedOut: false })));
      return letters.map(({ id, at, from, to, subject, body, priority }) => ({
        id,
        at,
        from,
        to,
        subject,
        priority,
        body: body.slice(0, MOST_LETTER_CHARACTERS),
        isCut: body.length > MOST_LETTER_CHARACTERS,
        isUnread: waiting.has(id),
      }));
    },
  };
}
