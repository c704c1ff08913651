/**
 * Armies by what is on disk: the last one with a name, if it can be brought back, and the list of all, running, cut off
 * and archived. Zellij is not called, and nothing is changed.
 */
import { join } from "node:path";
import { archiveFolder, relayFolder } from "../../config/folders.ts";
import { openMail } from "../../mail/mail.ts";
import { WORK_FOLDER } from "../../mail/store/paths.ts";
import { isForeign } from "../../mail/store/store.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import type { Environment } from "../../system/run-program.ts";
import { serverState } from "../../zellij/session-record.ts";
import { findTrees } from "../../work/work.ts";
import { hasSocket } from "../../zellij/socket.ts";
import { isArmyHeld, knownArmies, sessionNow, socketsOf, type Army } from "../army.ts";
import { findArchive, isArchived, listArchives, type ArchivedArmy } from "./archive.ts";
import { describeContents, findEnd, isWorthResuming, sumOf, type End } from "./store-contents.ts";

export type LastArmy = NonNullable<ReturnType<typeof lastArmyAt>>;

/** `asked` names an archived army; otherwise the last one with this name that worked in this folder is meant. */
export function findLastArmy(army: Army, folder: string, asked: string | undefined): LastArmy | undefined {
  const { archiveDir, session, zellij } = army;
  const inArchive = (archive: ArchivedArmy) => lastArmyAt(archive.path, archive.session, zellij.env, archive);
  if (asked !== undefined) return inArchive(findArchive(archiveDir, asked));
  const found = inStore(army);
  if (found !== undefined && !isArchived(archiveDir, found.record)) {
    if (found.trouble !== undefined || isWorthResuming(found.contents)) return found;
  }
  const newest = listArchives(archiveDir).find(
    (each) => each.session === session && each.record?.folder === folder && !each.isUnreadable,
  );
  const last = newest && inArchive(newest);
  return last && isWorthResuming(last.contents) ? last : undefined;
}

/** The army whose store is in place, whether or not it is running. */
export function inStore({ session, relayDir, zellij }: Army): LastArmy | undefined {
  return lastArmyAt(relayDir, session, zellij.env);
}

function lastArmyAt(path: string, session: string, env: Environment, archive?: ArchivedArmy) {
  const mail = openMail(path);
  if (!mail.exists()) return undefined;
  // A link in its place is followed by nothing: what it leads to may not be ours.
  const foreign: ErrorReport = { code: "store-foreign", facts: { path } };
  return {
    session,
    /** Undefined if its store is still where it worked. */
    archive,
    /** Undefined if it was never recorded, or cannot be understood. */
    record: mail.army(),
    ended: findEnd(mail),
    contents: describeContents(path, env),
    trouble: isForeign(path) ? foreign : mail.trouble(),
  };
}

export type ListedArmy = ReturnType<typeof listArmies>[number];

/** Running ones first, then those that were cut off, then the archive, newest first. */
export function listArmies(env: Environment) {
  const present = knownArmies(env).map((key) => {
    const path = relayFolder(env, key);
    const state = stateOf(env, key, path);
    return {
      /** The name to pass to `--army`. */
      name: sessionNow(env, key),
      /** The name of its store: the name it was summoned with, or that of its archive. It does not change. */
      key,
      state,
      /** Null while it is running. */
      ended: state === "crashed" ? findEnd(openMail(path)) : null,
      ...describeStore(env, path),
    };
  });
  const archived = listArchives(archiveFolder(env)).map(({ name, path, record, ended, isUnreadable }) => {
    const end: End = record?.ended ?? { at: new Date(ended).toISOString(), how: "crashed" };
    const trouble: ErrorReport = { code: "archive-unreadable", facts: { name, path } };
    const store = describeStore(env, path, isUnreadable ? trouble : undefined);
    return { name, key: name, state: "archived" as const, ended: end, ...store };
  });
  const running = present.filter(({ ended }) => ended === null);
  return [...running, ...present.filter(({ ended }) => ended !== null), ...archived];
}

function describeStore(env: Environment, path: string, unreadable?: ErrorReport) {
  const mail = openMail(path);
  const contents = unreadable ? undefined : describeContents(path, env);
  const { folder = null, agent = null, summoned = null } = (contents && mail.army()) ?? {};
  return {
    /** Where it works or worked, and what it runs or ran; null where nobody knows. */
    folder,
    agent,
    summoned,
    unread: sumOf(contents?.unread ?? []),
    /** How many of its agents can resume their conversation. */
    conversations: contents?.conversations.length ?? 0,
    trees: findTrees(join(path, WORK_FOLDER)),
    path,
    trouble: unreadable ?? mail.trouble() ?? null,
  };
}

/** A session that is up has a socket. */
function stateOf(env: Environment, session: string, path: string): "running" | "starting" | "crashed" {
  const sockets = socketsOf(env, session);
  const server = serverState(sockets);
  const isUp = server === "alive" || (server === "unknown" && hasSocket(sockets, sessionNow(env, session)));
  if (isUp) return "running";
  return isArmyHeld(path) ? "starting" : "crashed";
}
