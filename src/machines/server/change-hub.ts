/** Changes a hub while it runs: one command at a time, and done only when the server has taken the change. */
import { membershipPath } from "../../config/folders.ts";
import { pause } from "../../system/async.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { ProcessIdentity } from "../../system/process.ts";
import type { Environment } from "../../system/run-program.ts";
import { HUB_USERS } from "../carrier/subjects.ts";
import { HUB_FORMAT, readMembership, writeMembership, type Membership } from "../membership.ts";
import { requireHub, writeHub, type HubFiles } from "./hub-files.ts";
import {
  armyIn,
  localAddress,
  seedsAtHome,
  withArmy,
  type Change,
  type HubArmy,
  type HubState,
} from "./hub-state.ts";
import { works } from "./join-hub.ts";
import { findServerProcess, linkToHub, signalServer } from "./keep-server.ts";
import { makeStreams } from "./streams.ts";

const TAKEN_WITHIN_MS = 20_000;

export interface ArmyPlace {
  files: HubFiles;
  env: Environment;
  session: string;
  stop: AbortSignal;
}

/** `change` is asked for what becomes of the army; undefined if the hub has none of that name yet. */
export async function changeArmy(
  { files, env, session, stop }: ArmyPlace,
  change: (army: HubArmy | undefined, state: HubState) => Change | Promise<Change>,
): Promise<Change & { state: HubState }> {
  return withLock(files.changeLock, stop, async () => {
    const before = requireHub(files);
    const server = findServerProcess(files);
    // The seeds of a change that the server does not take would be lost.
    if (server === undefined) throw new OvldError({ code: "hub-stopped", facts: {} });
    const known = before.armies[session];
    if (known !== undefined) readHome(env, session, known.home);
    const { army, seeds } = await change(known, before);
    const state = withArmy(before, session, army);
    writeHub(files, state);
    try {
      await applyChange(files, server, { state, army, seeds }, stop);
    } catch (error) {
      writeHub(files, before);
      signalServer(server, "SIGHUP");
      throw error;
    }
    // Before another command can change them again.
    writeHome(env, state, session, seeds);
    return { state, army, seeds };
  });
}

/**
 * The server reads its configuration again when it is asked to. An army that is new to it works only after the second
 * time, so it is asked until everything works.
 */
async function applyChange(
  { log }: HubFiles,
  server: ProcessIdentity,
  { state, army, seeds }: Change & { state: HubState },
  stop: AbortSignal,
): Promise<void> {
  await using admin = linkToHub(state, army.admin.seed);
  const given = HUB_USERS.filter((user) => seeds[user] !== undefined);
  const users = given.map((user) => ({ user, link: linkToHub(state, seeds[user]) }));
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
        throw new OvldError({ code: "hub-not-started", facts: { reason, log } });
      }
    }
  } finally {
    await Promise.all(users.map(({ link }) => link.close()));
  }
}

/** What this machine has as the home of an army. Throws if it takes part as another machine: its keys would be lost. */
export function readHome(env: Environment, session: string, home: string): Membership | undefined {
  const found = readMembership(env, session);
  if (found === undefined || found.machine === home) return found;
  const facts = { session, machine: found.machine, path: membershipPath(env, session) };
  throw new OvldError({ code: "hub-joined-already", facts });
}

/** Keeps where the hub is, and the seeds of those users that the hub says are at home. */
export function writeHome(
  env: Environment,
  state: HubState,
  session: string,
  fresh: Membership["seeds"] = {},
): void {
  const army = armyIn(state, session);
  const before = readHome(env, session, army.home);
  writeMembership(env, {
    ...before,
    format: HUB_FORMAT,
    army: session,
    machine: army.home,
    servers: [localAddress(state.listen)],
    ca: state.tls.ca,
    seeds: seedsAtHome(army, before?.seeds ?? {}, fresh),
  });
}
