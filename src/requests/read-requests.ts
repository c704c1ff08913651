/**
 * Reads a role's requests from its folder. Any process of the person can put other things there, as many as it likes:
 * they are passed over, and hide no request.
 */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../system/json.ts";
import { isProcessAlive } from "../system/process.ts";
import { readPlainFile } from "../system/read-file.ts";
import { LIMITS } from "../mail/store/limits.ts";
import { answerFileName, isMessageFileName, messageFileName, messageIdOf } from "../mail/store/paths.ts";
import { parseRequest } from "../mail/records/request.ts";
import type { StoredRequest } from "./request-box.ts";
import { digestOf } from "../system/digest.ts";

/** An agent asks for a few things at a time; files of living relays beyond this number are not genuine. */
const MOST_OPEN = 200;

/**
 * Those that nobody has answered, oldest first. Depends only on files that never change, and on processes that do not
 * come back.
 */
export function readRequests(folder: string): StoredRequest[] {
  const names = readdirSync(folder).toSorted();
  const all = new Set(names);
  const open: StoredRequest[] = [];
  for (const name of names) {
    if (open.length === MOST_OPEN) break;
    if (!isMessageFileName(name)) continue;
    const answer = answerFileName(messageIdOf(name));
    if (all.has(answer) && isFile(join(folder, answer))) continue;
    const stored = readRequest(join(folder, name));
    if (stored !== undefined && isProcessAlive(stored.request.relay)) open.push(stored);
  }
  return open;
}

/** Undefined if it is not a request, or not under its own name. */
export function readRequest(path: string): StoredRequest | undefined {
  const file = readPlainFile(path, LIMITS.requestBytes);
  if (!("text" in file)) return undefined;
  const request = parseRequest(parseJson(file.text));
  if (request === undefined || !path.endsWith(`/${messageFileName(request.id)}`)) return undefined;
  return { request, digest: digestOf(file.text) };
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
