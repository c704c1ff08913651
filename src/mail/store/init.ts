/** Creates the store, or whatever is missing in it; existing files stay as they are. */
import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { publishNewFile, replaceFile, syncFolder } from "../../system/durable-files.ts";
import { hasErrorCode } from "../../system/file-error.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import { readPlainFile } from "../../system/read-file.ts";
import { HUB_FOLDER, STORE_FOLDERS, STORE_FORMAT, type StorePaths } from "./paths.ts";
import { initialStatus, printStatus } from "../records/status.ts";
import type { Store } from "./store.ts";
import { asideFor } from "./aside.ts";
import { cacheByFile } from "./cache-unchanged.ts";

export function initStore(store: Store): void {
  const { paths } = store;
  const made = mkdirSync(paths.root, { recursive: true, mode: 0o700 });
  if (made !== undefined) syncFolder(dirname(made));
  for (const folder of STORE_FOLDERS) if (folder !== HUB_FOLDER) makeFolder(join(paths.root, folder));
  for (const role of ROLES) {
    makeFolder(paths.inbox(role));
    makeFolder(paths.claims(role));
    makeFolder(paths.requestsOf(role));
    makeFile(store, paths.status(role), printStatus(initialStatus(role)));
  }
  // Written last, because its presence says that the rest is complete.
  makeFile(store, paths.format, printFormat());
}

/** Call it only while no army is running: relays of an older ovld would refuse a store with a newer format. */
export function raiseFormat(store: Store): void {
  const { paths } = store;
  if ((readFormat(paths) ?? STORE_FORMAT) < STORE_FORMAT) {
    replaceFile({ aside: asideFor(store), target: paths.format, content: printFormat() });
  }
}

function printFormat(): string {
  return `${JSON.stringify({ format: STORE_FORMAT })}\n`;
}

const MOST_FORMAT_BYTES = 1_024;

/** Other programs have files of that name, too. A newer ovld may have added fields to its own. */
const formatFile = z.union([
  z.strictObject({ format: z.int().check(z.positive()) }),
  z.object({ format: z.int().check(z.gt(STORE_FORMAT)) }),
]);

/** The format of the existing store; undefined if there is none. Every access to a store asks for it. */
export function readFormat(paths: StorePaths): number | undefined {
  return formatIn(paths.format);
}

const formatIn = cacheByFile((path): number | undefined => {
  const file = readPlainFile(path, MOST_FORMAT_BYTES);
  if ("missing" in file) return undefined;
  const parsed = "text" in file ? formatFile.safeParse(parseJson(file.text)) : undefined;
  if (parsed?.success) return parsed.data.format;
  throw new OvldError({ code: "store-foreign", facts: { path } });
});

function makeFile(store: Store, target: string, content: string): void {
  if (!existsSync(target)) publishNewFile({ aside: asideFor(store), target, content });
}

/** A link instead of a folder would lead our files out of the store. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    syncFolder(dirname(path));
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    if (!lstatSync(path).isDirectory()) throw new OvldError({ code: "store-foreign", facts: { path } });
  }
}
