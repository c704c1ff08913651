/** Passes on this machine's outbox whenever there is something in it and the hub can be reached. */
import { pause } from "../../system/async.ts";
import { accessOf, type Membership } from "./membership.ts";
import { openLink, type Link } from "./link.ts";
import { passOn, type Passing } from "./pass-on.ts";
import { HUB_USERS, type HubUser } from "./subjects.ts";

export interface KeepPassing extends Passing {
  user: HubUser;
  link: Link;
  membership: Membership;
}

export interface PassingLoop {
  /** Something may be waiting. */
  look: () => void;
  /** The same, and returns when all that can be passed on now has been, or the time is up. */
  flush: (withinMs: number) => Promise<void>;
  close: () => Promise<void>;
}

export function keepPassing(options: Omit<KeepPassing, "stop">): PassingLoop {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let again: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    const isDone = await passEverything({ ...options, stop: stop.signal }).catch(() => false);
    isRunning = false;
    if (!isDone && !stop.signal.aborted) again = setTimeout(look, 500).unref();
  };
  const look = (): void => {
    if (isRunning || stop.signal.aborted) return;
    clearTimeout(again);
    isRunning = true;
    running = run();
  };
  options.link.onUp(look);
  look();
  return {
    look,
    async flush(withinMs) {
      look();
      const late = new AbortController();
      await Promise.race([running, pause(withinMs, late.signal)]);
      late.abort();
    },
    async close() {
      stop.abort();
      clearTimeout(again);
      await running;
    },
  };
}

/** Also for other roles of this machine, whose relays may not be running. */
async function passEverything(options: KeepPassing): Promise<boolean> {
  const { user, link, outbox, membership, stop } = options;
  let isDone = true;
  for (const each of HUB_USERS) {
    if (outbox.isEmpty(each) || stop.aborted) continue;
    if (each === user) isDone = link.up() !== undefined && (await passOn(each, link, options)) && isDone;
    else isDone = (await passForAnother(each, membership, options)) && isDone;
  }
  return isDone;
}

async function passForAnother(user: HubUser, membership: Membership, passing: Passing): Promise<boolean> {
  if (membership.seeds[user] === undefined) return true;
  const link = openLink({ ...accessOf(membership, user), name: `ovld outbox of ${user}` });
  try {
    return (await link.whenUp(2_000)) !== undefined && (await passOn(user, link, passing));
  } finally {
    await link.close();
  }
}
