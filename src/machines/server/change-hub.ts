/** Changes a hub while it runs: one command at a time, and done only when the server has taken the change. */
import { openLink, type Link } from "../carrier/link.ts";
import { HUB_USERS } from "../carrier/subjects.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { pause } from "../../system/async.ts";
import type { ProcessIdentity } from "../../system/process.ts";
import { replicasOf } from "./cluster.ts";
import { requireHub, writeHub, type HubFiles } from "./hub-files.ts";
import { localAddress } from "./hub-place.ts";
import { armyIn, undoChange, type Change, type HubState } from "./hub-state.ts";
import { works } from "./join-hub.ts";
import { makeStreams } from "./make-streams.ts";
import { canStore, othersThatAnswer } from "./reach-servers.ts";
import { shareState } from "./share-state.ts";
import { findServerProcess, signalServer } from "./server-process.ts";

const TAKEN_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 150;
const ANSWER_MS = 1_000;

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
    requireFirst(before);
    if (before.tls === undefined)
      throw new OvldError({ code: "hub-needs-tls", facts: { listen: before.listen } });
    const server = findServerProcess(files);
    // The seeds of a change that the server does not take would be lost.
    if (server === undefined) throw new OvldError({ code: "hub-stopped", facts: {} });
    if (!(await canStore(before))) throw tooFew(before);
    const changed = change(before);
    writeHub(files, changed.state);
    try {
      await applyChange(files, server, session, changed, stop);
    } catch (error) {
      writeHub(files, undoChange(before, changed.state));
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
  const here = localAddress(state.listen);
  const admin = linkTo(state, here, armyIn(state, session).admin.seed ?? "");
  const keeper = linkTo(state, here, state.keeper.seed);
  // A server that is away now takes the change when it is back.
  const servers = [here, ...(await othersThatAnswer(state))];
  const users = servers.flatMap((address) =>
    HUB_USERS.flatMap((user) => {
      const seed = seeds[user];
      return seed === undefined ? [] : [{ user, link: linkTo(state, address, seed) }];
    }),
  );
  try {
    const until = performance.now() + TAKEN_WITHIN_MS;
    let hasStreams = false;
    let isShared = state.cluster === undefined;
    for (;;) {
      signalServer(server, "SIGHUP");
      await pause(LOOK_EVERY_MS, stop);
      stop.throwIfAborted();
      if (!isShared && (await keeper.whenUp(ANSWER_MS)) !== undefined) {
        isShared = await shareState(keeper, state);
      }
      if (!hasStreams && (await admin.whenUp(ANSWER_MS)) !== undefined) {
        hasStreams = await madeStreams(admin, state, performance.now() > until);
      }
      const answers = await Promise.all(users.map(({ user, link }) => works(user, link)));
      if (isShared && hasStreams && answers.every(Boolean)) return;
      if (performance.now() > until) throw notTaken(files, "it has not taken the change");
    }
  } finally {
    await Promise.all([admin.close(), keeper.close(), ...users.map(({ link }) => link.close())]);
  }
}

/** Three servers do not know each other or a new army at once, so what they lack is an error only in the end. */
async function madeStreams(admin: Link, state: HubState, isLast: boolean): Promise<boolean> {
  try {
    await makeStreams(admin, replicasOf(state));
    return true;
  } catch (error) {
    if (isLast || state.cluster === undefined) throw error;
    return false;
  }
}

/** A hub of three servers is changed where it was started first. */
function requireFirst({ cluster }: HubState): void {
  if (cluster === undefined || cluster.own === 0) return;
  throw new OvldError({ code: "hub-servers", facts: { problem: "not-first", servers: cluster.servers } });
}

function tooFew({ cluster }: HubState): OvldError {
  return new OvldError({
    code: "hub-servers",
    facts: { problem: "too-few", servers: cluster?.servers ?? [] },
  });
}

function linkTo({ tls }: HubState, server: string, seed: string): Link {
  return openLink({ servers: [server], ca: tls?.ca, seed, name: "ovld hub" });
}

function notTaken(files: HubFiles, reason: string): OvldError {
  return new OvldError({ code: "hub-not-started", facts: { reason, log: files.log } });
}
