/**
 * Checks who owns the folder of the sockets. In a shared temporary folder any user can create it first, with a lock
 * in it that is never released, or with sockets that answer in another session's name. Then nothing in it is used or
 * waited for.
 */
import { lstatSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { socketFolder, START_FOLDER, START_LOCK, SUB_FOLDER } from "./socket.ts";
import type { Zellij } from "./zellij.ts";

/** What belongs to another user; undefined if everything is ours or does not exist yet. */
export function foreignSockets(zellij: Pick<Zellij, "env">): ErrorReport | undefined {
  const folder = socketFolder(zellij);
  const own = process.geteuid?.();
  const lockFolder = join(folder, START_FOLDER);
  for (const path of [folder, join(folder, SUB_FOLDER), lockFolder, join(lockFolder, START_LOCK)]) {
    // Neither a link nor its target may belong to another user.
    const owner = [look(lstatSync, path), look(statSync, path)].find(
      (uid) => uid !== undefined && uid !== own,
    );
    if (owner !== undefined) return { code: "sockets-foreign", facts: { path, owner } };
  }
  return undefined;
}

export function expectOwnSockets(zellij: Pick<Zellij, "env">): void {
  const foreign = foreignSockets(zellij);
  if (foreign !== undefined) throw new OvldError(foreign);
}

type Look = (path: string, options: { throwIfNoEntry: false }) => Stats | undefined;

function look(stat: Look, path: string): number | undefined {
  try {
    return stat(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return undefined;
  }
}
