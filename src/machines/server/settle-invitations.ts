/**
 * Ends invitations: a machine that has joined gets the keys that it has made, and the join file's keys stop working, as
 * do those of a file that nobody has used in time. So a file that was lost is worth nothing after that, whatever a
 * thief's clock says.
 */
import { statSync } from "node:fs";
import { openLink, type Link } from "../carrier/link.ts";
import { readKeys, type PublicKeys } from "./join-hub.ts";
import { withLock } from "../../system/lock-file.ts";
import { pause } from "../../system/async.ts";
import { requireHub, writeHub, type HubFiles } from "./hub-files.ts";
import { localAddress, openInvitations, settleMachines, type HubState } from "./hub-state.ts";
import { findServerProcess, signalServer } from "./server-process.ts";

/** A machine that joins waits for it. */
const LOOK_EVERY_MS = 500;
/** The server reads its configuration twice, as for every change. */
const RELOADS = 2;

/** Call `look` often. It does something only on the machine that may change the hub. */
export function keepInvitations(files: HubFiles, stop: AbortSignal) {
  /** The admins of the armies with invitations. */
  const links = new Map<string, Link>();
  let nextLook = 0;
  /** When the hub's file was written, if it has no invitations. */
  let quietSince: number | undefined;
  // The process before this one may have ended between writing the configuration and telling a server that still runs.
  let isTold = findServerProcess(files) === undefined;
  let looking = Promise.resolve();

  const settle = async (): Promise<void> => {
    // Not while a command makes streams: a server that reads its configuration may not answer.
    if (!isTold) await withLock(files.changeLock, stop, () => reload(files, stop));
    isTold = true;
    const { mtimeMs } = statSync(files.state);
    if (mtimeMs === quietSince) return;
    const state = requireHub(files);
    const invitations = openInvitations(state);
    keepLinks(links, state, new Set(invitations.map(({ session }) => session)));
    quietSince = invitations.length === 0 ? mtimeMs : undefined;
    const said = new Map<string, PublicKeys | "none">();
    for (const { session, key } of invitations) {
      const link = links.get(session);
      const keys = link && (await readKeys(link, key));
      // Nobody loses its keys because the hub was silent.
      if (keys !== undefined) said.set(key, keys);
    }
    if (settleMachines(state, said, new Date()) === undefined) return;
    await withLock(files.changeLock, stop, async () => {
      // A command may have changed it in the meantime.
      const settled = settleMachines(requireHub(files), said, new Date());
      if (settled === undefined) return;
      writeHub(files, settled);
      await reload(files, stop);
    });
  };

  return {
    /** Does not wait: it may have to wait for a command that waits for the server. */
    look(): void {
      if (performance.now() < nextLook) return;
      nextLook = Infinity;
      looking = settle()
        .catch(() => {})
        .then(() => void (nextLook = performance.now() + LOOK_EVERY_MS));
    },
    async close(): Promise<void> {
      // It may be about to open another one.
      await looking;
      await Promise.all([...links.values()].map((link) => link.close()));
    },
  };
}

function keepLinks(
  links: Map<string, Link>,
  { armies, listen, tls }: HubState,
  wanted: ReadonlySet<string>,
): void {
  for (const [session, { admin }] of Object.entries(armies)) {
    const link = links.get(session);
    if (wanted.has(session) && link === undefined && admin.seed !== undefined) {
      const servers = [localAddress(listen)];
      links.set(session, openLink({ servers, ca: tls?.ca, seed: admin.seed, name: "ovld hub keeper" }));
    } else if (!wanted.has(session) && link !== undefined) {
      links.delete(session);
      void link.close();
    }
  }
}

async function reload(files: HubFiles, stop: AbortSignal): Promise<void> {
  const server = findServerProcess(files);
  if (server === undefined) return;
  for (let count = 0; count < RELOADS; count += 1) {
    signalServer(server, "SIGHUP");
    await pause(400, stop);
  }
}
