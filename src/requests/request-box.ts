/**
 * Where agents' requests to the person wait for an answer: one file per request, published by the relay that waits,
 * and at most one answer next to it. The first answer takes the name, so there is never a second one.
 *
 * An answer names by a digest what the person was shown: a relay takes only answers to its own words.
 *
 * It is not part of `Mail`, because a relay loads it only together with its bell.
 */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import type { Desk } from "../army/words.ts";
import { writeJournal } from "../mail/journal/journal.ts";
import {
  parseRequest,
  parseVerdict,
  requestAnswer,
  requestEnds,
  type AgentRequest,
  type Asked,
  type RequestAnswer,
  type RequestEnd,
  type Verdict,
} from "../mail/records/request.ts";
import { cacheFolder } from "../mail/store/cache-unchanged.ts";
import { isMessageId } from "../mail/store/message.ts";
import { answerFileName, isMessageFileName, messageIdOf, requestIdOfAnswer } from "../mail/store/paths.ts";
import { access, asideFor, openStore, type Store, type StoreOptions } from "../mail/store/store.ts";
import { watchFolder, type WatchOptions } from "../mail/store/watch-folder.ts";
import { digestOf } from "../system/text.ts";
import { publishNewFile, removeTree, replaceFile } from "../system/durable-files.ts";
import { parseJson } from "../system/json.ts";
import { listFolder } from "../system/paths.ts";
import { isProcessAlive, isProcessIdentity, type ProcessIdentity } from "../system/process.ts";
import { readPlainFile } from "../system/read-file.ts";
import { examineRecord, readRecord, writeRecord } from "../system/record.ts";

/** A larger request can be answered only in its pane. */
const MOST_REQUEST_BYTES = 1024 * 1024;
/** How many ended requests of a role are remembered, so that a late answer learns what happened. */
const MOST_ENDS = 50;

/** A request as somebody finds it in the store. */
export interface StoredRequest {
  request: AgentRequest;
  /** Identifies its content. */
  digest: string;
}

/** Which relay asks for which agent. */
export type Asker = Pick<AgentRequest, "role" | "relay" | "agent">;

export type RequestBox = ReturnType<typeof openRequestBox>;

export function openRequestBox(root: string, options?: StoreOptions) {
  const store = openStore(root, options);
  const { paths } = store;
  return {
    publish: (asker: Asker, asked: Asked) => publish(store, asker, asked),
    /** A role's requests whose relay is alive and which nobody has answered yet, oldest first. Changes nothing. */
    open: (role: Role) =>
      unansweredIn(paths.requestsOf(role)).filter(({ request }) => isProcessAlive(request.relay)),
    /** A request that has not ended, whether or not somebody has answered it. */
    find(role: Role, id: string): StoredRequest | undefined {
      const stored = isMessageId(id) ? readRequest(paths.request(role, id)) : undefined;
      return stored && isProcessAlive(stored.request.relay) ? stored : undefined;
    },
    /** Answers as the person; undefined if the request has an answer already, or has ended. */
    answer: (stored: StoredRequest, from: Desk, verdict: Verdict) => answer(store, stored, from, verdict),
    /** The answer, if there is one. An answer to something else than this request is removed. */
    takeAnswer({ request: { id, role }, digest }: StoredRequest): RequestAnswer | undefined {
      const path = paths.requestAnswer(role, id);
      const file = examineRecord(path, requestAnswer());
      if ("content" in file && file.content.shown === digest) return file.content;
      if ("missing" in file || "unreadable" in file) return undefined;
      removeIfThere(path);
      if (!store.skipped.has(path)) {
        const why = "not the person's answer";
        writeJournal(store, [{ event: "skipped", role, file: `requests/${role}/${id}`, why }]);
      }
      store.skipped.add(path);
      return undefined;
    },
    /** Ends a request: it is no longer open, and an answerer learns how it ended, and whether by their answer. */
    end({ request }: StoredRequest, how: RequestAnswer | "pane" | "gone"): void {
      const { id, role, kind, tool } = request;
      const { from: by, id: answered, verdict } = typeof how === "string" ? { from: how } : how;
      writeJournal(store, [
        { event: "answered", role, request: id, kind, tool, by, verdict: verdict?.verdict },
      ]);
      try {
        rememberEnd(store, role, { id, at: new Date(store.now()).toISOString(), by, answer: answered });
      } finally {
        // The request first: an answer that comes in between must not find the way free.
        removeIfThere(paths.request(role, id));
        removeIfThere(paths.requestAnswer(role, id));
      }
    },
    /** How a request ended; undefined if it is open, or if its end has been forgotten. */
    endOf: (role: Role, id: string) => readEnds(store, role).findLast((end) => end.id === id),
    /** Removes what dead relays of this role left. */
    tidy: (role: Role) => tidy(store, role),
    /** Calls back when a role's requests may have changed, and also at regular intervals. */
    watch: (role: Role, onChange: () => void, how: WatchOptions) =>
      watchFolder(paths.requestsOf(role), onChange, how),
    /** Says that the person sees the requests at a desk in this process, until the returned function is called. */
    openDesk(desk: ProcessIdentity): () => void {
      const file = join(paths.desks, desk);
      access(store, () => {
        mkdirSync(paths.desks, { recursive: true, mode: 0o700 });
        replaceFile({ aside: asideFor(store), target: file, content: "", lasting: false });
      });
      return () => removeIfThere(file);
    },
    isDeskOpen: () => listFolder(paths.desks).some((name) => isProcessIdentity(name) && isProcessAlive(name)),
  };
}

/** What the agents of an army ask the person right now, oldest first. Cheap if nothing has changed. */
export function openRequests(box: Pick<RequestBox, "open">): StoredRequest[] {
  return ROLES.flatMap((role) => box.open(role)).toSorted((one, other) =>
    one.request.id < other.request.id ? -1 : 1,
  );
}

function publish(store: Store, asker: Asker, asked: Asked): StoredRequest {
  const { role } = asker;
  return access(store, () => {
    const head = { id: store.nextId(), ...asker, since: new Date(store.now()).toISOString() };
    const { request, content } = formatWithinLimit(head, asked);
    const target = store.paths.request(role, request.id);
    if (!publishNewFile({ aside: asideFor(store), target, content })) return publish(store, asker, asked);
    const { id, kind, tool } = request;
    writeJournal(store, [{ event: "asked", role, request: id, kind, tool }]);
    return { request, digest: digestOf(content) };
  });
}

function formatWithinLimit(
  head: Asker & Pick<AgentRequest, "id" | "since">,
  asked: Asked,
): { request: AgentRequest; content: string } {
  const request: AgentRequest = { ...head, ...asked };
  const content = `${JSON.stringify(request)}\n`;
  const bytes = Buffer.byteLength(content);
  if (bytes <= MOST_REQUEST_BYTES) return { request, content };
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
  const { id, role } = request;
  const target = store.paths.requestAnswer(role, id);
  const isOpen = (): boolean => existsSync(store.paths.request(role, id));
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
  return readRecord(store.paths.requestEnds(role), requestEnds()) ?? [];
}

function rememberEnd(store: Store, role: Role, end: RequestEnd): void {
  const ends = [...readEnds(store, role), end].slice(-MOST_ENDS);
  writeRecord(store.paths.requestEnds(role), ends, { aside: asideFor(store), lasting: false });
}

function tidy(store: Store, role: Role): void {
  const folder = store.paths.requestsOf(role);
  const isAlive = (id: string): boolean => {
    const stored = readRequest(store.paths.request(role, id));
    return stored !== undefined && isProcessAlive(stored.request.relay);
  };
  for (const name of listFolder(folder)) {
    const id = requestIdOfAnswer(name) ?? (isMessageFileName(name) ? messageIdOf(name) : "");
    if (isMessageId(id) && !isAlive(id)) removeIfThere(join(folder, name));
  }
}

/** Depends only on files that never change, and on processes that do not come back. */
const unansweredIn = cacheFolder((folder) => {
  const names = readdirSync(folder).toSorted();
  const all = new Set(names);
  return names
    .filter((name) => isMessageFileName(name) && !all.has(answerFileName(messageIdOf(name))))
    .flatMap((name) => readRequest(join(folder, name)) ?? [])
    .filter(({ request }) => isProcessAlive(request.relay));
});

function readRequest(path: string): StoredRequest | undefined {
  const file = readPlainFile(path, MOST_REQUEST_BYTES);
  if (!("text" in file)) return undefined;
  const request = parseRequest(parseJson(file.text));
  return request && { request, digest: digestOf(file.text) };
}

/** The file may be gone with the whole store. */
function removeIfThere(path: string): void {
  try {
    removeTree(path);
  } catch {
    // A file that cannot be removed belongs to a request that has ended, and is not shown once its relay is dead.
  }
}
