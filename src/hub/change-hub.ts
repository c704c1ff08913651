/** Changes a hub while it runs: one command at a time, and done only when the server has taken the change. */
import { ask, openLink, type Link } from "../mail/hub/link.ts";
import { OWN_NAMES, type HubUser } from "../mail/hub/subjects.ts";
import { isRole } from "../army/roles.ts";
import { withLock } from "../system/lock-file.ts";
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/pause.ts";
import { requireHub, writeHub, type HubFiles } from "./hub-files.ts";
import { localAddress } from "./hub-place.ts";
import { armyIn, type Change, type HubState } from "./hub-state.ts";
import { makeStreams } from "./make-streams.ts";
import { findServerProcess, signalServer } from "./server-process.ts";

const TAKEN_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 150;
const ANSWER_MS = 1_000;

export async function changeHub(
  files: HubFiles,
  session: string,
  stop: AbortSignal,
  change: (state: HubState) => Change,
): Promise<Change> {
  return withLock(files.changeLock, stop, async () => {
    const changed = change(requireHub(files));
    writeHub(files, changed.state);
    await applyChange(files, session, changed);
    return changed;
  });
}

/**
 * The server reads its configuration again when it is asked to. An army that is new to it works only after the second
 * time, so it is asked until everything works.
 */
async function applyChange(files: HubFiles, session: string, { state, seeds }: Change): Promise<void> {
  const server = findServerProcess(files);
  if (server === undefined) throw notTaken(files, "it is not running");
  const admin = linkTo(state, armyIn(state, session).admin.seed);
  const users = Object.entries(seeds).map(([user, seed]) => ({ user, link: linkTo(state, seed) }));
  try {
    const until = performance.now() + TAKEN_WITHIN_MS;
    let hasStreams = false;
    for (;;) {
      signalServer(server, "SIGHUP");
      await pause(LOOK_EVERY_MS);
      if (!hasStreams && (await admin.whenUp(ANSWER_MS)) !== undefined) {
        await makeStreams(admin, 1);
        hasStreams = true;
      }
      const answers = await Promise.all(users.map(({ user, link }) => works(user, link)));
      if (hasStreams && answers.every(Boolean)) return;
      if (performance.now() > until) throw notTaken(files, "it has not taken the change");
    }
  } finally {
    await Promise.all([admin.close(), ...users.map(({ link }) => link.close())]);
  }
}

/** Whether this user's key is accepted and reaches the army's mail. */
async function works(user: string, link: Link): Promise<boolean> {
  if ((await link.whenUp(ANSWER_MS)) === undefined) return false;
  const subject = isRole(user) ? OWN_NAMES.inbox : OWN_NAMES.inboxOf("overlord");
  return "message" in (await ask(link, subject, { withinMs: ANSWER_MS }));
}

function linkTo({ listen, tls }: HubState, seed: string): Link {
  return openLink({ servers: [localAddress(listen)], ca: tls?.ca, seed, name: "ovld hub" });
}

function notTaken(files: HubFiles, reason: string): OvldError {
  return new OvldError({ code: "hub-not-started", facts: { reason, log: files.log } });
}

/** Whether a machine with these seeds can use the hub; throws an error that says why not. */
export async function requireAccess({
  servers,
  ca,
  machine,
  seeds,
}: {
  servers: string[];
  ca?: string | undefined;
  machine: string;
  seeds: Partial<Record<HubUser, string>>;
}): Promise<void> {
  for (const [user, seed] of Object.entries(seeds)) {
    const link = openLink({ servers, ca, seed, name: "ovld join" });
    try {
      await link.tried;
      const isUp = link.up() !== undefined;
      const down = link.down();
      if (down?.isRefused) throw new OvldError({ code: "hub-refused", facts: { servers, machine } });
      if (!isUp)
        throw new OvldError({ code: "hub-unreachable", facts: { servers, reason: down?.why ?? "" } });
      if (!(await works(user, link))) {
        throw new OvldError({
          code: "hub-unreachable",
          facts: { servers, reason: "the army has no mail there" },
        });
      }
    } finally {
      await link.close();
    }
  }
}
