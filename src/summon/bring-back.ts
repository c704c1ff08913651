/**
 * Puts the store of an archived army in place, completely or not at all.
 *
 * The archive keeps the army until its session is running, so a process that is killed in between loses nothing. The
 * store's own file names the archived army from which it was brought back.
 */
import { mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openMail } from "../mail/mail.ts";
import { moveFile, syncFolder } from "../system/durable-files.ts";
import { OvldError } from "../system/ovld-error.ts";
import { removeTree } from "../system/durable-files.ts";
import { identifyOurselves, isProcessAlive } from "../system/process.ts";
import type { ArchivedArmy } from "./archive.ts";
import type { Army } from "./army.ts";
import { removeArmy } from "./take-down.ts";

/** The points at which a process may be killed; a test stops at each of them. */
export type ReturnStep = "copied" | "linked" | "in place";

/** There must be no store yet. Throws if something else is in the army's folder. Call it with the army's lock held. */
export function bringBack(
  army: Army,
  { name, path }: ArchivedArmy,
  onStep: (step: ReturnStep) => void = () => {},
): void {
  const { relayDir } = army;
  removeLeftovers(relayDir);
  // What a summon left that was killed while it created an empty store.
  const { left, problem } = removeArmy(army);
  if (problem !== undefined) throw new OvldError(problem);
  const [foreign] = left;
  if (foreign !== undefined) throw new OvldError({ code: "store-foreign", facts: { path: foreign } });
  mkdirSync(dirname(relayDir), { recursive: true, mode: 0o700 });
  const aside = join(dirname(relayDir), `${asidePrefix(relayDir)}${identifyOurselves()}`);
  try {
    openMail(path).copyTo(aside, { forUse: true });
    onStep("copied");
    const copy = openMail(aside);
    // Another command has removed it in the meantime. Its mark is copied last, so the copy is not whole.
    if (!copy.exists()) throw new OvldError({ code: "no-archive", facts: { name } });
    const record = copy.army();
    if (record !== undefined) copy.recordArmy({ ...record, archive: name });
    onStep("linked");
    moveFile(aside, relayDir);
    syncFolder(dirname(relayDir));
    onStep("in place");
  } finally {
    removeTree(aside);
  }
}

/** Copies of processes that were killed while making one. */
function removeLeftovers(relayDir: string): void {
  const prefix = asidePrefix(relayDir);
  for (const name of namesIn(dirname(relayDir))) {
    if (!name.startsWith(prefix) || isProcessAlive(name.slice(prefix.length))) continue;
    removeTree(join(dirname(relayDir), name));
  }
}

function asidePrefix(relayDir: string): string {
  return `.${basename(relayDir)}.returning-`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
