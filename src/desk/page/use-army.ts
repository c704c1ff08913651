/** What the desk sends about an army as it happens, and whether the desk is there. */
import type { ArmyView } from "../../view/describe-army.ts";
import type { StoredRequest } from "../../requests/request-box.ts";
import type { BriefEntry } from "../../view/format-entry.ts";
import type { FeedEvent } from "../army-feed.ts";
import type { UsageByRole } from "../follow-usage.ts";
import { useEffect, useState } from "preact/hooks";

export interface ArmyState {
  /** "resting": too many pages are open in this browser, and nobody looks at this one. */
  connection: "connecting" | "open" | "lost" | "resting";
  /** Undefined until the first look; null if there is no such army. */
  view: ArmyView | null | undefined;
  /** It has ended for good, and can only be looked at. */
  isArchived: boolean;
  requests: StoredRequest[];
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
  usage: {},
  trouble: undefined,
  clockAhead: 0,
};
/** The desk sends something every ten seconds. */
const SILENT_MS = 25_000;
const TRY_AGAIN_MS = 1_000;

export function useArmy(army: string, listeners: Set<EntryListener>): ArmyState {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    const change = (part: Partial<ArmyState>): void => setState((before) => ({ ...before, ...part }));
    setState(NOTHING);
    return connect(`events?${new URLSearchParams({ army })}`, {
      onEvent(event) {
        switch (event.event) {
          case "army":
            return change({ view: event.view, isArchived: event.isArchived, trouble: undefined });
          case "requests":
            return change({ requests: event.requests });
          case "usage":
            return change({ usage: event.usage });
          case "trouble":
            return change({ trouble: event.trouble });
          case "entries":
            for (const listener of listeners) listener(event.entries);
            return undefined;
          case "beat":
            return change({ clockAhead: event.now - Date.now() });
        }
      },
      onConnection(connection, isAgain) {
        change({ connection });
        // What happened in between was not sent.
        if (connection === "open" && isAgain) for (const listener of listeners) listener("many");
      },
    });
  }, [army]);
  return state;
}

interface Handlers {
  onEvent: (event: FeedEvent) => void;
  onConnection: (connection: ArmyState["connection"], isAgain: boolean) => void;
}

/** Keeps one stream open. A stream that says nothing is replaced: after a sleep it may never end by itself. */
function connect(address: string, { onEvent, onConnection }: Handlers): () => void {
  let source: EventSource | undefined;
  let heard = Date.now();
  let opened = 0;
  const open = (): void => {
    source?.close();
    heard = Date.now();
    const fresh = new EventSource(address);
    source = fresh;
    turns.begin();
    fresh.addEventListener("open", () => {
      heard = Date.now();
      opened += 1;
      onConnection("open", opened > 1);
    });
    fresh.addEventListener("error", () => onConnection("lost", false));
    fresh.addEventListener("message", (message: MessageEvent<string>) => {
      heard = Date.now();
      const event: FeedEvent = JSON.parse(message.data);
      onEvent(event);
    });
  };
  const turns = takeTurns({
    onRest() {
      source?.close();
      source = undefined;
      onConnection("resting", false);
    },
    onWake: open,
  });
  open();
  const check = setInterval(() => {
    const isSilent = Date.now() - heard > SILENT_MS;
    if (source === undefined || (source.readyState !== EventSource.CLOSED && !isSilent)) return;
    // A desk whose process is stopped refuses nothing, so nothing else says that it is gone.
    onConnection("lost", false);
    open();
  }, TRY_AGAIN_MS);
  return () => {
    clearInterval(check);
    turns.close();
    source?.close();
  };
}

interface Turns {
  /** This page follows its army from now on. */
  begin: () => void;
  close: () => void;
}

interface TurnListeners {
  onRest: () => void;
  /** Somebody looks at a page that rests. */
  onWake: () => void;
}

/** The other connections are for answers and for opening one more page. */
const MOST_FOLLOWING = 4;

/** What pages say to each other. */
type Word = { begins: string } | { ends: string };

/**
 * A browser has only six connections to one server, for all of its pages together. If each page kept a stream open, the
 * sixth would leave none for an answer. So only the pages that were opened or looked at last follow their armies; the
 * others rest until somebody looks at them again.
 */
function takeTurns({ onRest, onWake }: TurnListeners): Turns {
  const us = Math.random().toString(36).slice(2);
  const channel = new BroadcastChannel("ovld-desk");
  /** The pages that have begun after this one. */
  const later = new Set<string>();
  let isResting = false;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only pages of its own origin
  const say = (word: Word): void => channel.postMessage(word);
  const end = (): void => say({ ends: us });
  const wake = (): void => {
    if (isResting && !document.hidden) onWake();
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Word>) => {
    if ("ends" in data) later.delete(data.ends);
    else later.add(data.begins);
    if (isResting || later.size < MOST_FOLLOWING) return;
    isResting = true;
    onRest();
  });
  const over = new AbortController();
  const { signal } = over;
  document.addEventListener("visibilitychange", wake, { signal });
  for (const event of ["focus", "pointerdown", "keydown"]) window.addEventListener(event, wake, { signal });
  window.addEventListener("pagehide", end, { signal });
  return {
    begin() {
      later.clear();
      isResting = false;
      say({ begins: us });
    },
    close() {
      end();
      over.abort();
      channel.close();
    },
  };
}
