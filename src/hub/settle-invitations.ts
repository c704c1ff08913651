/**
 * Ends invitations: a machine that has joined keeps its keys, and the keys of one that has not joined in time stop
 * working. So a join file that was lost is worth nothing after that, whatever a thief's clock says.
 */
import { openLink } from "../mail/hub/link.ts";
import { hasJoined } from "../mail/hub/joining.ts";
import { withLock } from "../system/lock-file.ts";
import { pause } from "../system/pause.ts";
import { requireHub, writeHub, type HubFiles } from "./hub-files.ts";
import { localAddress } from "./hub-place.ts";
import { hasInvitations, settleMachines, type HubState } from "./hub-state.ts";
import { findServerProcess, signalServer } from "./server-process.ts";

const CONNECT_MS = 2_000;
/** The server reads its configuration twice, as for every change. */
const RELOADS = 2;
const RELOAD_EVERY_MS = 400;

/** Only on the machine that may change the hub. */
export async function settleInvitations(files: HubFiles, stop: AbortSignal): Promise<void> {
  if (!hasInvitations(requireHub(files))) return;
  await withLock(files.changeLock, stop, async () => {
    const state = requireHub(files);
    const joined = await findJoined(state);
    const settled = settleMachines(state, joined, new Date());
    if (settled === undefined) return;
    writeHub(files, settled);
    const server = findServerProcess(files);
    if (server === undefined) return;
    for (let count = 0; count < RELOADS; count += 1) {
      signalServer(server, "SIGHUP");
      await pause(RELOAD_EVERY_MS, stop);
    }
  });
}

/** For each army, those of the invited machines that have joined; an army that cannot be asked is left out. */
async function findJoined({ armies, listen, tls }: HubState): Promise<Map<string, Set<string>>> {
  const joined = new Map<string, Set<string>>();
  for (const [session, { admin, machines }] of Object.entries(armies)) {
    const invited = Object.entries(machines).filter(([, { expires }]) => expires !== undefined);
    if (invited.length === 0 || admin.seed === undefined) continue;
    const servers = [localAddress(listen)];
    const link = openLink({ servers, ca: tls?.ca, seed: admin.seed, name: "ovld hub keeper" });
    try {
      if ((await link.whenUp(CONNECT_MS)) === undefined) continue;
      const found = new Set<string>();
      for (const [machine, { keys }] of invited) {
        const isJoined = keys.human === undefined ? false : await hasJoined(link, keys.human);
        // Nobody loses its keys because the hub was silent.
        if (isJoined !== false) found.add(machine);
      }
      joined.set(session, found);
    } finally {
      await link.close();
    }
  }
  return joined;
}
