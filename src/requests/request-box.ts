/**
 * Where agents' requests to the person wait for an answer: one file per request, published by the relay that waits,
 * and at most one answer next to it. The first answer takes the name, so there is never a second one.
 *
 * An answer names by a digest what the person was shown: a relay takes only answers to its own words.
 *
 * It is not part of `Mail`, because a relay loads it only together with its bell.
 */
import { existsSync, mkdirSync, readdirSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { type Role, ROLES } from "../army/roles.ts";
import type { Desk } from "../army/words.ts";
import { publishNewFile, removeTree, replaceFile } from "../system/durable-files.ts";
import { parseJson } from "../system/json.ts";
import { isProcessAlive, isProcessIdentity, type ProcessIdentity } from "../system/process.ts";
import { readPlainFile } from "../system/read-file.ts";
import { asideFor, access, openStore, type Store, type StoreOptions } from "../mail/store/store.ts";
import { cacheByFolder } from "../mail/store/cache-unchanged.ts";
import { record } from "../mail/journal/journal.ts";
import { LIMITS } from "../mail/store/message.ts";
import { isMessageId } from "../mail/store/message-id.ts";
import {
  isMessageFileName,
  messageIdOf,
  requestIdOfAnswer,
  answerFileName,
  messageFileName,
} from "../mail/store/paths.ts";
import {
  parseAnswer,
  parseEnds,
  parseVerdict,
  type AgentRequest,
  type Asked,
  type RequestAnswer,
  type RequestEnd,
  type Verdict,
  parseRequest,
} from "../mail/records/request.ts";
import { digestOf } from "../system/digest.ts";
import { watchFolder, type FolderWatch, type WatchOptions } from "../mail/store/watch-folder.ts";

/** A request as somebody finds it in the store. */
export interface StoredRequest {
  request: AgentRequest;
  /** Identifies its content. */
  digest: string;
}

/** Which relay asks for which agent. */
export type Asker = Pick<AgentRequest, "role" | "relay" | "agent">;

export interface RequestBox {
  publish(asker: Asker, asked: Asked): StoredRequest;
  /** A role's requests whose relay is alive and which nobody has answered yet, oldest first. Changes nothing. */
  open(role: Role): StoredRequest[];
  /** A request that has not ended, whether or not somebody has answered it. */
  find(role: Role, id: string): StoredRequest | undefined;
  /** Answers as the person; undefined if the request has an answer already, or has ended. */
  answer(stored: StoredRequest, from: Desk, verdict: Verdict): RequestAnswer | undefined;
  /** The answer, if there is one. An answer that is not the person's, or not to this request, is removed. */
  takeAnswer(stored: StoredRequest): RequestAnswer | undefined;
  /** Ends a request: it is no longer open, and an answerer learns how it ended, and whether by their answer. */
  end(stored: StoredRequest, how: RequestAnswer | "pane" | "gone"): void;
  /** How a request ended; undefined if it is open, or if its end has been forgotten. */
  endOf(role: Role, id: string): RequestEnd | undefined;
  /** Removes what dead relays of this role left. */
  tidy(role: Role): void;
  /** Calls back when a role's requests may have changed, and also at regular intervals. */
  watch(role: Role, onChange: () => void, how: WatchOptions): FolderWatch;
  /** Says that the person sees the requests at a desk in this process, until the returned function is called. */
  openDesk(desk: ProcessIdentity): () => void;
  isDeskOpen(): boolean;
}

export function openRequestBox(root: string, options?: StoreOptions): RequestBox {
  const store = openStore(root, options);
  const { paths } = store;
  const requestsIn = cacheByFolder(readRequests, []);
  return {
    publish: (asker, asked) => publish(store, asker, asked),
    open: (role) =>
      requestsIn(paths.requestsOf(role)).filter(
        ({ request }) => request.role === role && isProcessAlive(request.relay),
      ),
    find(role, id) {
      const stored = isMessageId(id) ? readRequest(paths.request(role, id)) : undefined;
      return stored?.request.role === role ? stored : undefined;
    },
    answer: (stored, from, verdict) => answer(store, stored, from, verdict),
    takeAnswer({ request: { id, role }, digest }) {
      const path = paths.requestAnswer(role, id);
      const file = readPlainFile(path, LIMITS.messageFileBytes);
      if ("missing" in file || "unreadable" in file) return undefined;
      const found = "text" in file ? parseAnswer(parseJson(file.text)) : undefined;
      if (found?.shown === digest) return found;
      removeIfThere(path);
      const isKnown = store.skipped.delete(path);
      // One that cannot be removed is found at every look, and reported once.
      if (existsSync(path)) store.skipped.add(path);
      if (!isKnown)
        record(store, [
          { event: "skipped", role, file: `requests/${role}/${id}`, why: "not the person's answer" },
        ]);
      return undefined;
    },
    end({ request }, how) {
      const { id, role, kind, tool } = request;
      const { from: by, id: answered, verdict } = typeof how === "string" ? { from: how } : how;
      record(store, [{ event: "answered", role, request: id, kind, tool, by, verdict: verdict?.verdict }]);
      try {
        rememberEnd(store, role, { id, at: new Date(store.now()).toISOString(), by, answer: answered });
      } finally {
        // The request first: an answer that comes in between must not find the way free.
        removeIfThere(paths.request(role, id));
        removeIfThere(paths.requestAnswer(role, id));
      }
    },
    endOf: (role, id) => readEnds(store, role).findLast((end) => end.id === id),
    tidy: (role) => tidy(store, role),
    watch: (role, onChange, how) => watchFolder(paths.requestsOf(role), onChange, how),
    openDesk(desk) {
      const file = join(paths.desks, desk);
      access(store, () => {
        mkdirSync(paths.desks, { recursive: true, mode: 0o700 });
        replaceFile({ aside: asideFor(store), target: file, content: "", lasting: false });
      });
      return () => removeIfThere(file);
    },
    isDeskOpen: () => namesIn(paths.desks).some((name) => isProcessIdentity(name) && isProcessAlive(name)),
  };
}

function publish(store: Store, asker: Asker, asked: Asked): StoredRequest {
  const { paths } = store;
  const { role } = asker;
  return access(store, () => {
    const head = { id: store.nextId(), ...asker, since: new Date(store.now()).toISOString() };
    const { request, content } = printWithinLimit(head, asked);
    const target = paths.request(role, request.id);
    if (!publishNewFile({ aside: asideFor(store), target, content })) return publish(store, asker, asked);
    const { id, kind, tool } = request;
    record(store, [{ event: "asked", role, request: id, kind, tool }]);
    return { request, digest: digestOf(content) };
  });
}

function printWithinLimit(
  head: Asker & Pick<AgentRequest, "id" | "since">,
  asked: Asked,
): { request: AgentRequest; content: string } {
  const request: AgentRequest = { ...head, ...asked };
  const content = `${JSON.stringify(request)}\n`;
  const bytes = Buffer.byteLength(content);
  if (bytes <= LIMITS.requestBytes) return { request, content };
  // Part of a request must never be taken for all of it.
  const small: AgentRequest = { ...head, kind: "oversized", tool: asked.tool, bytes };
  return { request: small, content: `${JSON.stringify(small)}\n` };
}

function answer(
  store: Store,
  { request, digest }: StoredRequest,
  from: Desk,
  verdict: Verdict,
): RequestAnswer | undefined {
  const { paths } = store;
  const { id, role } = request;
  const target = paths.requestAnswer(role, id);
  const isOpen = (): boolean => "text" in readPlainFile(paths.request(role, id), LIMITS.requestBytes);
  return access(store, () => {
    // Looked at first, because writing and syncing a file that cannot be published takes its time.
    if (!isOpen() || existsSync(target)) return undefined;
    // Parsed, so that its fields are in the order in which a reader finds them.
    const parsed = parseVerdict(verdict) ?? verdict;
    const at = new Date(store.now()).toISOString();
    const given: RequestAnswer = { id: store.nextId(), at, from, shown: digest, verdict: parsed };
    const content = `${JSON.stringify(given)}\n`;
    const { onStep } = store;
    if (!publishNewFile({ aside: asideFor(store), target, content, onStep })) return undefined;
    // If the request ended in between, by this answer or otherwise, nobody would remove the file.
    if (!isOpen()) removeIfThere(target);
    return given;
  });
}

function readEnds(store: Store, role: Role): RequestEnd[] {
  const file = readPlainFile(store.paths.requestEnds(role), LIMITS.messageFileBytes);
  return "text" in file ? parseEnds(parseJson(file.text)) : [];
}

function rememberEnd(store: Store, role: Role, end: RequestEnd): void {
  const { paths } = store;
  const ends = [...readEnds(store, role), end].slice(-LIMITS.requestEnds);
  const content = `${JSON.stringify(ends)}\n`;
  replaceFile({ aside: asideFor(store), target: paths.requestEnds(role), content, lasting: false });
}

function tidy(store: Store, role: Role): void {
  const folder = store.paths.requestsOf(role);
  const isAlive = (id: string): boolean => {
    const stored = readRequest(store.paths.request(role, id));
    return stored !== undefined && isProcessAlive(stored.request.relay);
  };
  for (const name of namesIn(folder)) {
    const id = requestIdOfAnswer(name) ?? (isMessageFileName(name) ? messageIdOf(name) : "");
    if (isMessageId(id) && !isAlive(id)) removeIfThere(join(folder, name));
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The file may be gone with the whole store. */
function removeIfThere(path: string): void {
  try {
    // A folder with this name has been put there by another process, and is in the way of an answer.
    removeTree(path);
  } catch {
    // A file that cannot be removed belongs to a request that has ended, and is not shown once its relay is dead.
  }
}

/**
 * Reads a role's requests from its folder. Any process of the person can put other things there, as many as it likes:
 * they are passed over, and hide no request.
 */

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

/** What the agents of an army ask the person right now. Looking changes nothing. */

/** Oldest first, of all roles. Cheap if nothing has changed: the files are read only once. */
export function openRequests(box: Pick<RequestBox, "open">): StoredRequest[] {
  return ROLES.flatMap((role) => box.open(role)).toSorted((one, other) =>
    one.request.id < other.request.id ? -1 : 1,
  );
}

/** A request that has not ended, even if it is not open, because an answer to it is already on its way. */
export function findRequest(
  box: Pick<RequestBox, "find">,
  { role, id }: Pick<AgentRequest, "role" | "id">,
): StoredRequest | undefined {
  const stored = box.find(role, id);
  return stored && isProcessAlive(stored.request.relay) ? stored : undefined;
}
