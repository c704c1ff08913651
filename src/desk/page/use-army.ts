/** What the desk sends about an army as it happens, and whether the desk is there. */
import { useEffect, useState } from "preact/hooks";
import type { StoredRequest } from "../../requests/request-box.ts";
import type { ArmyView } from "../../view/describe-army.ts";
import type { BriefEntry } from "../../view/format-entry.ts";
import type { FeedEvent, LetterView } from "../army-feed.ts";
import type { UsageByRole } from "../../agent/follow-usage.ts";

export interface ArmyState {
  /** "resting": too many pages are open in this browser, and nobody looks at this one. */
  connection: "connecting" | "open" | "lost" | "resting";
  /** Undefined until the first look; null if there is no such army. */
  view: ArmyView | null | undefined;
  /** It has ended for good, and can only be looked at. */
  isArchived: boolean;
  requests: StoredRequest[];
  letters: LetterView[];
  usage: UsageByRole;
  trouble: string | undefined;
  /** How far the desk's clock is ahead of this browser's. */
  clockAhead: number;
}

/** Told what was added to the journal; "many": more than is sent, so the shown part has to be read. */
export type EntryListener = (entries: BriefEntry[] | "many") => void;

const NOTHING: ArmyState = {
  connection: "connecting",
  view: undefined,
  isArchived: false,
  requests: [],
  letters: [],
  usage: {},
  trouble: undefined,
  clockAhead: 0,
};
/** The desk sends something every ten seconds. */
const SILENT_MS = 25_000;
const TRY_AGAIN_MS = 1_000;
/** How many pages keep a stream open; the other connections are for answers and for opening one more page. */
const MOST_FOLLOWING = 4;

export function useArmy(army: string, listeners: Set<EntryListener>): ArmyState {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    const change = (part: Partial<ArmyState>): void => setState((before) => ({ ...before, ...part }));
    const tellListeners: EntryListener = (entries) => listeners.forEach((listener) => listener(entries));
    setState(NOTHING);
    return connect(army, {
      onEvent(event) {
        if (event.event === "entries") tellListeners(event.entries);
        else if (event.event === "beat") change({ clockAhead: event.now - Date.now() });
        else change(event.event === "army" ? { ...event, trouble: undefined } : event);
      },
      onConnection(connection, isAgain = false) {
        change({ connection });
        // What happened in between was not sent.
        if (isAgain) tellListeners("many");
      },
    });
  }, [army]);
  return state;
}

interface Handlers {
  onEvent: (event: FeedEvent) => void;
  /** `isAgain` if a stream is open that is not the first one. */
  onConnection: (connection: ArmyState["connection"], isAgain?: boolean) => void;
}

/** What pages say to each other. */
type Word = { begins: string } | { ends: string };

/**
 * Keeps one stream open. A stream that says nothing is replaced: after a sleep it may never end by itself.
 *
 * A browser has only six connections to one server, for all of its pages together. If each page kept a stream open, the
 * sixth would leave none for an answer. So only the pages that were opened or looked at last follow their armies; the
 * others rest until somebody looks at them again.
 */
function connect(army: string, { onEvent, onConnection }: Handlers): () => void {
  const us = Math.random().toString(36).slice(2);
  const channel = new BroadcastChannel("ovld-desk");
  /** The pages that have begun after this one. */
  const later = new Set<string>();
  /** Undefined while this page rests. */
  let source: EventSource | undefined;
  let [heard, opened] = [0, 0];
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only pages of its own origin
  const say = (word: Word): void => channel.postMessage(word);
  const open = (): void => {
    source?.close();
    later.clear();
    say({ begins: us });
    heard = Date.now();
    const visible = String(!document.hidden);
    source = new EventSource(`events?${new URLSearchParams({ army, page: us, visible })}`);
    let isNew = true;
    source.addEventListener("open", () => (isNew = true));
    source.addEventListener("error", () => onConnection("lost"));
    source.addEventListener("message", (message: MessageEvent<string>) => {
      heard = Date.now();
      const event: FeedEvent = JSON.parse(message.data);
      onEvent(event);
      if (!isNew) return;
      // The first event says what time it is; only then is it known what has to be read.
      isNew = false;
      opened += 1;
      onConnection("open", opened > 1);
    });
  };
  /** What the person cannot see is notified otherwise. If the desk does not hear it, it hears of the next stream. */
  const saySeen = (): void => {
    const body = JSON.stringify({ page: us, isVisible: !document.hidden });
    const headers = { "content-type": "application/json" };
    void fetch(`see?${new URLSearchParams({ army })}`, { method: "POST", headers, body }).catch(() => {});
  };
  const wake = (): void => {
    if (source === undefined && !document.hidden) open();
  };
  const end = (): void => say({ ends: us });
  const over = new AbortController();
  const { signal } = over;
  channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
    if ("ends" in data) later.delete(data.ends);
    else later.add(data.begins);
    if (source === undefined || later.size < MOST_FOLLOWING) return;
    source.close();
    source = undefined;
    onConnection("resting");
  });
  document.addEventListener("visibilitychange", wake, { signal });
  document.addEventListener("visibilitychange", saySeen, { signal });
  for (const event of ["focus", "pointerdown", "keydown"]) window.addEventListener(event, wake, { signal });
  window.addEventListener("pagehide", end, { signal });
  const check = setInterval(() => {
    const isSilent = Date.now() - heard > SILENT_MS;
    if (source === undefined || (source.readyState !== EventSource.CLOSED && !isSilent)) return;
    // A desk whose process is stopped refuses nothing, so nothing else says that it is gone.
    onConnection("lost");
    open();
  }, TRY_AGAIN_MS);
  open();
  return () => {
    clearInterval(check);
    end();
    over.abort();
    channel.close();
    source?.close();
  };
}
