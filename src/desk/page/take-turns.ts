/**
 * A browser has only six connections to one server, for all of its pages together. If each page kept a stream open, the
 * sixth would leave none for an answer. So only the pages that were opened or looked at last follow their armies; the
 * others rest until somebody looks at them again.
 */
export interface Turns {
  /** This page follows its army from now on. */
  begin: () => void;
  close: () => void;
}

interface Listeners {
  onRest: () => void;
  /** Somebody looks at a page that rests. */
  onWake: () => void;
}

/** The other connections are for answers and for opening one more page. */
const MOST_FOLLOWING = 4;

/** What pages tell each other. */
type Word = { begins: string } | { ends: string };

export function takeTurns({ onRest, onWake }: Listeners): Turns {
  const us = Math.random().toString(36).slice(2);
  const channel = new BroadcastChannel("ovld-desk");
  /** The pages that have begun after this one. */
  const later = new Set<string>();
  let isResting = false;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only pages of its own origin
  const tell = (word: Word): void => channel.postMessage(word);
  const end = (): void => tell({ ends: us });
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
  document.addEventListener("visibilitychange", wake);
  for (const event of ["focus", "pointerdown", "keydown"]) window.addEventListener(event, wake);
  window.addEventListener("pagehide", end);
  return {
    begin() {
      later.clear();
      isResting = false;
      tell({ begins: us });
    },
    close() {
      end();
      document.removeEventListener("visibilitychange", wake);
      for (const event of ["focus", "pointerdown", "keydown"]) window.removeEventListener(event, wake);
      window.removeEventListener("pagehide", end);
      channel.close();
    },
  };
}
