/**
 * Server-sent events: what happens in an army, as it happens. There are only so many streams, and a reader that does
 * not read is dropped: its browser comes back by itself, and then gets the present state.
 */
import type { ServerResponse } from "node:http";

export interface EventStreams {
  /** False if there are too many already. `begin` subscribes to something, and returns how to end that. */
  open: (response: ServerResponse, begin: (send: SendEvent) => () => void) => boolean;
  count: () => number;
  close: () => void;
}

type SendEvent = (event: object) => void;

const MOST_STREAMS = 32;
/** Several times the state of an army with large requests. */
const MOST_UNREAD_BYTES = 32 * 1024 * 1024;
/** Lets the page notice that it has been cut off, for example because the machine slept. */
const BEAT_EVERY_MS = 10_000;

export function createEventStreams(): EventStreams {
  const open = new Set<ServerResponse>();
  const beat = setInterval(() => {
    for (const response of open) write(response, beatNow());
  }, BEAT_EVERY_MS);
  beat.unref();
  return {
    open(response, begin) {
      if (open.size >= MOST_STREAMS) return false;
      open.add(response);
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      write(response, beatNow());
      const end = begin((event) => write(response, event));
      response.once("close", () => {
        open.delete(response);
        end();
      });
      return true;
    },
    count: () => open.size,
    close() {
      clearInterval(beat);
      for (const response of open) response.destroy();
    },
  };
}

/** A page on another machine may have another clock. */
function beatNow(): object {
  return { event: "beat", now: Date.now() };
}

function write(response: ServerResponse, event: object): void {
  if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
  else response.write(`data: ${JSON.stringify(event)}\n\n`);
}
