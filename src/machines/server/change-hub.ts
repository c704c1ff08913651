/** Changes a hub while it runs: one command at a time, and done only when the server has taken the change. */
import { openLink, type Link } from "../carrier/link.ts";
import { HUB_USERS } from "../carrier/subjects.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { pause } from "../../system/async.ts";
import type { ProcessIdentity } from "../../system/process.ts";
import { requireHub, writeHub, type HubFiles } from "./hub-files.ts";
import { localAddress, armyIn, type Change, type HubState } from "./hub-state.ts";
import { works } from "./join-hub.ts";
import { makeStreams } from "./streams.ts";
import { findServerProcess, signalServer } from "./server-process.ts";

const TAKEN_WITHIN_MS = 20_000;

export async function changeHub(
  files: HubFiles,
  session: string,
  stop: AbortSignal,
  change: (state: HubState) => Change,
  /** Puts the seeds where they belong, before another command can change them again. */
  keep: (changed: Change) => void = () => {},
): Promise<Change> {
  return withLock(files.changeLock, stop, async () => {
    const before = requireHub(files);
    if (before.tls === undefined)
      throw new OvldError({ code: "hub-needs-tls", facts: { listen: before.listen } });
    const server = findServerProcess(files);
    // The seeds of a change that the server does not take would be lost.
    if (server === undefined) throw new OvldError({ code: "hub-stopped", facts: {} });
    const changed = change(before);
    writeHub(files, changed.state);
    try {
      await applyChange(files, server, session, changed, stop);
    } catch (error) {
      writeHub(files, before);
      signalServer(server, "SIGHUP");
      throw error;
    }
    keep(changed);
    return changed;
  });
}

/**
 * The server reads its configuration again when it is asked to. An army that is new to it works only after the second
 * time, so it is asked until everything works.
 */
async function applyChange(
  files: HubFiles,
  server: ProcessIdentity,
  session: string,
  { state, seeds }: Change,
  stop: AbortSignal,
): Promise<void> {
  const admin = linkTo(state, armyIn(state, session).admin.seed ?? "");
  const users = HUB_USERS.flatMap((user) => {
    const seed = seeds[user];
    return seed === undefined ? [] : [{ user, link: linkTo(state, seed) }];
  });
  try {
    const until = performance.now() + TAKEN_WITHIN_MS;
    let hasStreams = false;
    for (;;) {
      signalServer(server, "SIGHUP");
      await pause(150, stop);
      stop.throwIfAborted();
      if (!hasStreams && (await admin.whenUp(1_000)) !== undefined) {
        await makeStreams(admin);
        hasStreams = true;
      }
      const answers = await Promise.all(users.map(({ user, link }) => works(user, link)));
      if (hasStreams && answers.every(Boolean)) return;
      if (performance.now() > until) {
        const reason = "it has not taken the change";
        throw new OvldError({ code: "hub-not-started", facts: { reason, log: files.log } });
      }
    }
  } finally {
    await Promise.all([admin.close(), ...users.map(({ link }) => link.close())]);
  }
}

function linkTo({ listen, tls }: HubState, seed: string): Link {
  return openLink({ servers: [localAddress(listen)], ca: tls?.ca, seed, name: "ovld hub" });
}
