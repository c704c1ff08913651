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
import type { VerdictProblem } from "../army/errors.ts";
import { writeJournal } from "../mail/journal/journal.ts";
import {
  parseRequest,
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
import { access, asideFor, openStore, saveRecord, type StoreOptions } from "../mail/store/store.ts";
import { watchFolder, type WatchOptions } from "../mail/store/watch-folder.ts";
import { pause } from "../system/async.ts";
import { digestOf } from "../system/text.ts";
import { publishNewFile, removeTree, replaceFile } from "../system/durable-files.ts";
import { parseJson } from "../system/json.ts";
import { OvldError } from "../system/ovld-error.ts";
import { listFolder } from "../system/paths.ts";
import { isProcessAlive, isProcessIdentity, type ProcessIdentity } from "../system/process.ts";
import { readPlainFile } from "../system/read-file.ts";
import { examineRecord, readRecord } from "../system/record.ts";
import { tryTo } from "../system/file-error.ts";

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

export type Asker = Pick<AgentRequest, "role" | "relay" | "agent">;

export type RequestBox = ReturnType<typeof openRequestBox>;

export function openRequestBox(root: string, options?: StoreOptions) {
  const store = openStore(root, options);
  const { paths } = store;
  const time = (): string => new Date(store.now()).toISOString();
  const readEnds = (role: Role): RequestEnd[] => readRecord(paths.requestEnds(role), requestEnds()) ?? [];

  function publish(asker: Asker, asked: Asked): StoredRequest {
    return access(store, () => {
      const head = { id: store.nextId(), ...asker, since: time() };
      const whole: AgentRequest = { ...head, ...asked };
      const bytes = Buffer.byteLength(formatLine(whole));
      // Part of a request must never be taken for all of it.
      const small: AgentRequest = { ...head, kind: "oversized", tool: asked.tool, bytes };
      const request = bytes > MOST_REQUEST_BYTES ? small : whole;
      const { id, role, kind, tool } = request;
      const content = formatLine(request);
      const target = paths.request(role, id);
      if (!publishNewFile({ aside: asideFor(store), target, content })) return publish(asker, asked);
      writeJournal(store, { event: "asked", role, request: id, kind, tool });
      return { request, digest: digestOf(content) };
    });
  }

  function find(role: Role, id: string): StoredRequest | undefined {
    const stored = isMessageId(id) ? readRequest(paths.request(role, id)) : undefined;
    return stored && isAsked(stored) ? stored : undefined;
  }

  return {
    publish,
    /** A role's requests whose relay is alive and which nobody has answered yet, oldest first. Changes nothing. */
    open: (role: Role) => unansweredIn(paths.requestsOf(role)).filter(isAsked),
    /** A request that has not ended, whether or not somebody has answered it. */
    find,
    /** Answers as the person; undefined if the request has an answer already, or has ended. */
    answer({ request, digest }: StoredRequest, from: Desk, verdict: Verdict): RequestAnswer | undefined {
      const target = paths.requestAnswer(request.role, request.id);
      const isOpen = (): boolean => existsSync(paths.request(request.role, request.id));
      return access(store, () => {
        // Looked at first, because writing and syncing a file that cannot be published takes its time.
        if (!isOpen() || existsSync(target)) return undefined;
        const given = { id: store.nextId(), at: time(), from, shown: digest, verdict };
        const { onStep } = store;
        if (!publishNewFile({ aside: asideFor(store), target, content: formatLine(given), onStep }))
          return undefined;
        // If the request ended in between, by this answer or otherwise, nobody would remove the file.
        if (!isOpen()) removeIfThere(target);
        return given;
      });
    },
    /** The answer, if there is one. An answer to something else than this request is removed. */
    takeAnswer({ request: { id, role }, digest }: StoredRequest): RequestAnswer | undefined {
      const path = paths.requestAnswer(role, id);
      const file = examineRecord(path, requestAnswer());
      if ("content" in file && file.content.shown === digest) return file.content;
      if ("missing" in file || "unreadable" in file) return undefined;
      removeIfThere(path);
      const why = "not the person's answer";
      if (!store.skipped.has(path))
        writeJournal(store, { event: "skipped", role, file: `requests/${role}/${id}`, why });
      store.skipped.add(path);
      return undefined;
    },
    /** Ends a request: it is no longer open, and an answerer learns how it ended, and whether by their answer. */
    end({ request }: StoredRequest, how: RequestAnswer | "pane" | "gone"): void {
      const { id, role, kind, tool } = request;
      const { from: by, id: answer, verdict } = typeof how === "string" ? { from: how } : how;
      const event = { role, request: id, kind, tool, by, verdict: verdict?.verdict };
      writeJournal(store, { event: "answered", ...event });
      try {
        const ends = [...readEnds(role), { id, at: time(), by, answer }].slice(-MOST_ENDS);
        saveRecord(store, paths.requestEnds(role), ends, false);
      } finally {
        // The request first: an answer that comes in between must not find the way free.
        removeIfThere(paths.request(role, id));
        removeIfThere(paths.requestAnswer(role, id));
      }
    },
    /** How a request ended; undefined if it is open, or if its end has been forgotten. */
    endOf: (role: Role, id: string) => readEnds(role).findLast((end) => end.id === id),
    /** Removes what dead relays of this role left. */
    tidy(role: Role): void {
      const folder = paths.requestsOf(role);
      for (const name of listFolder(folder)) {
        const id = requestIdOfAnswer(name) ?? (isMessageFileName(name) ? messageIdOf(name) : "");
        if (isMessageId(id) && find(role, id) === undefined) removeIfThere(join(folder, name));
      }
    },
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

export type AnswerOutcome =
  | { outcome: "taken" }
  /** Another answer was first. */
  | { outcome: "already"; by: Desk | "pane" }
  /** The agent or its relay has ended. */
  | { outcome: "gone" }
  /** The answer is there, but the relay has not said yet what became of it. */
  | { outcome: "unconfirmed" };

/**
 * Answers an agent's request as the person, and says whether the answer took effect. Publishing it is not enough: the
 * person may have answered in the pane at the same moment, and only the agent's relay knows which answer the agent took.
 * Throws if the answer does not fit the request; nothing has been answered then.
 */
export async function answerRequest(
  box: Pick<RequestBox, "answer" | "endOf">,
  stored: StoredRequest,
  { from, verdict, patienceMs = 10_000 }: { from: Desk; verdict: Verdict; patienceMs?: number },
): Promise<AnswerOutcome> {
  const { id, role, relay } = stored.request;
  const problem = checkVerdict(stored.request, verdict);
  if (problem !== undefined) throw new OvldError({ code: "answer-unfit", facts: { role, problem } });
  let given = box.answer(stored, from, verdict);
  const until = performance.now() + patienceMs;
  for (;;) {
    // Looked at first, because a relay that ends writes down its requests' ends before.
    const isAlive = isProcessAlive(relay);
    const end = box.endOf(role, id);
    if (end?.by === "gone" || (end === undefined && !isAlive)) return { outcome: "gone" };
    if (end)
      return given && end.answer === given.id ? { outcome: "taken" } : { outcome: "already", by: end.by };
    if (performance.now() > until) return { outcome: "unconfirmed" };
    await pause(15);
    // Somebody else's answer that was not the person's has been removed by now, and the request is still open.
    given ??= box.answer(stored, from, verdict);
  }
}

/** Whether an answer fits what was asked; undefined if it does. Pure. */
export function checkVerdict(request: AgentRequest, verdict: Verdict): VerdictProblem | undefined {
  if (request.kind === "oversized") return "only-in-the-pane";
  if (verdict.verdict === "deny") return undefined;
  if (verdict.verdict === "allow") {
    if (request.kind === "question") return "needs-answers";
    const isOffered = verdict.suggestions.every((index) => index < request.suggestions.length);
    return isOffered ? undefined : "not-offered";
  }
  if (request.kind !== "question") return "not-a-question";
  if (verdict.answers.length !== request.questions.length) return "one-answer-each";
  return request.questions
    .map(({ options, several }, index): VerdictProblem | undefined => {
      const { chosen = [], text = "" } = verdict.answers[index] ?? {};
      if (chosen.some((option) => option >= options.length)) return "not-offered";
      if (chosen.length === 0 && text.trim() === "") return "needs-answers";
      return chosen.length > 1 && !several ? "only-one-option" : undefined;
    })
    .find((problem) => problem !== undefined);
}

/** Depends only on files that never change, and on processes that do not come back. */
const unansweredIn = cacheFolder((folder) => {
  const names = readdirSync(folder).toSorted();
  const all = new Set(names);
  return names
    .filter((name) => isMessageFileName(name) && !all.has(answerFileName(messageIdOf(name))))
    .flatMap((name) => readRequest(join(folder, name)) ?? [])
    .filter(isAsked);
});

function isAsked({ request }: StoredRequest): boolean {
  return isProcessAlive(request.relay);
}

function readRequest(path: string): StoredRequest | undefined {
  const file = readPlainFile(path, MOST_REQUEST_BYTES);
  const request = "text" in file ? parseRequest(parseJson(file.text)) : undefined;
  return "text" in file && request ? { request, digest: digestOf(file.text) } : undefined;
}

function formatLine(content: object): string {
  return `${JSON.stringify(content)}\n`;
}

/** The file may be gone with the whole store. */
function removeIfThere(path: string): void {
  // A file that cannot be removed belongs to a request that has ended, and is not shown once its relay is dead.
  tryTo(() => removeTree(path));
}
