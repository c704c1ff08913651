/**
 * The last army with a name, if it can be brought back: as a crash or a reboot left it, or from the archive. Changes
 * nothing.
 */
import { lstatSync } from "node:fs";
import type { ArmyRecord } from "../mail/records/army-record.ts";
import { openMail } from "../mail/mail.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { findServer, serverState } from "../zellij/session-record.ts";
import { hasSocket } from "../zellij/socket.ts";
import { findArchive, listArchives, type ArchivedArmy } from "./archive.ts";
import { isArchived } from "./archive-army.ts";
import { announcedProcesses, type Army } from "./army.ts";
import { findEnd, type End } from "./find-end.ts";
import { canReturn, lookAtRemains, type Place, type Remains } from "./remains.ts";

export interface LastArmy {
  session: string;
  /** Undefined if its store is still where it worked. */
  archive: ArchivedArmy | undefined;
  /** Undefined if it was never recorded, or cannot be understood. */
  record: ArmyRecord | undefined;
  ended: End;
  remains: Remains;
  /** What prevents its store from being used. */
  trouble: ErrorReport | undefined;
}

/** `asked` names an archived army; otherwise the last one with this name that worked in this folder is meant. */
export function findLastArmy(army: Army, folder: string, asked: string | undefined): LastArmy | undefined {
  if (asked !== undefined) return fromArchive(army, findArchive(army.archiveDir, asked));
  const found = lookAtStore(army);
  if (found === undefined || isArchived(army.archiveDir, found.record)) return lastArchived(army, folder);
  return found.trouble !== undefined || canReturn(found.remains) ? found : lastArchived(army, folder);
}

/** What is in the army's folder, whether or not it is running. */
export function lookAtStore({ session, relayDir, zellij }: Army): LastArmy | undefined {
  return lookAt({ path: relayDir, env: zellij.env }, session);
}

/** Judged by its processes. Zellij need not be asked: a dead session may have left its socket, but has no server. */
export function isRunning({ zellij, session, relayDir }: Army): boolean {
  const server = serverState(zellij);
  if (server !== "unknown") return server === "alive";
  if (announcedProcesses(relayDir).ours.length > 0) return true;
  return hasSocket(zellij, session) && findServer(zellij, session) !== undefined;
}

function lastArchived(army: Army, folder: string): LastArmy | undefined {
  const inFolder = listArchives(army.archiveDir).filter(
    (each) => each.session === army.session && each.record?.folder === folder && !each.isUnreadable,
  );
  const found = inFolder[0] && fromArchive(army, inFolder[0]);
  return found && canReturn(found.remains) ? found : undefined;
}

function fromArchive({ zellij }: Army, archive: ArchivedArmy): LastArmy | undefined {
  const found = lookAt({ path: archive.path, env: zellij.env }, archive.session);
  return found && { ...found, archive };
}

function lookAt(place: Place, session: string): LastArmy | undefined {
  const { path } = place;
  const mail = openMail(path);
  if (!mail.exists()) return undefined;
  const record = mail.army();
  return {
    session,
    archive: undefined,
    record,
    ended: findEnd(mail),
    remains: lookAtRemains(place),
    trouble: isLink(path) ? { code: "store-foreign", facts: { path } } : mail.trouble(),
  };
}

/** What is behind a link does not belong to the army. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
