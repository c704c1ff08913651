/** The layout of the store on disk, as docs/store-format.md describes it. Only this file knows it. */
import { join } from "node:path";
import type { Recipient, Role } from "../../army/roles.ts";

export const STORE_FORMAT = 2;

/** The entries of the relay folder, in the order in which they are removed. */
export const STORE_FOLDERS = [
  "inbox",
  "status",
  "pending",
  "tmp",
  "claimed",
  "quarantine",
  "presence",
  "agents",
  "conversations",
  "orders",
  "locks",
  "requests",
  "journal",
  "hub",
  "work",
  "budget",
] as const;
/** What an army on several machines keeps, one with trees, and one with a budget: made only for those. */
const MACHINES_FOLDER = "hub";
export const WORK_FOLDER = "work";
const BUDGET_FOLDER = "budget";
export const SPECIAL_FOLDERS: readonly string[] = [MACHINES_FOLDER, WORK_FOLDER, BUDGET_FOLDER];
/** Needed only while the army is running. */
export const LIVING_FOLDERS: readonly string[] = [
  "pending",
  "tmp",
  "presence",
  "agents",
  "locks",
  "requests",
];
export const STORE_FILES = ["journal.jsonl", "army.json", "store.json"] as const;

const MESSAGE_ENDING = ".json";
const ANSWER_ENDING = ".answer";

export type StorePaths = ReturnType<typeof storePaths>;

export function storePaths(root: string) {
  return {
    root,
    format: join(root, "store.json"),
    army: join(root, "army.json"),
    /** The current file of the journal, and the folder of the earlier ones. */
    journal: join(root, "journal.jsonl"),
    segments: join(root, "journal"),
    tmp: join(root, "tmp"),
    quarantine: join(root, "quarantine"),
    presence: join(root, "presence"),
    statuses: join(root, "status"),
    agents: join(root, "agents"),
    conversations: join(root, "conversations"),
    inbox: (reader: Recipient) => join(root, "inbox", reader),
    /** The folder of the readers of an inbox that hold messages, one subfolder each. */
    claims: (reader: Recipient) => join(root, "claimed", reader),
    status: (role: Role) => join(root, "status", `${role}.json`),
    agent: (role: Role) => join(root, "agents", `${role}.json`),
    conversation: (role: Role) => join(root, "conversations", `${role}.json`),
    orders: (role: Role) => join(root, "orders", `${role}.json`),
    /** The file in which a practice agent keeps a conversation. */
    practiceTranscript: (id: string) => join(root, "conversations", `${id}.jsonl`),
    lock: (name: StoreLock) => join(root, "locks", name),
    pending: (role: Recipient) => join(root, "pending", role),
    /** What a role's agent asks the person, the answers, and how its last requests ended. */
    requestsOf: (role: Role) => join(root, "requests", role),
    request: (role: Role, id: string) => join(root, "requests", role, messageFileName(id)),
    requestAnswer: (role: Role, id: string) => join(root, "requests", role, answerFileName(id)),
    requestEnds: (role: Role) => join(root, "requests", role, "ended"),
    /** What the person last decided about the role's mail that the brake holds. */
    brake: (role: Role) => join(root, "requests", role, "brake"),
    /** One file per open desk. */
    desks: join(root, "requests", "desks"),
    /** What each role of an army with a budget has used, and what the person has said about it. */
    budget: join(root, BUDGET_FOLDER),
    /** What an army on several machines keeps. */
    machines: join(root, MACHINES_FOLDER),
    /** What was last heard of a role on another machine. */
    away: (role: Role) => join(root, MACHINES_FOLDER, "away", `${role}.json`),
    /** Whether the hub can be reached. */
    connection: join(root, MACHINES_FOLDER, "link.json"),
    /** Mail for other machines that the hub does not have yet. */
    outbox: join(root, MACHINES_FOLDER, "outbox"),
  };
}

/** Held by the process that types into a role's pane, starts or restarts its agent, or gives a ritual. */
export type StoreLock = `${"typing" | "start" | "restart"}-${Role}` | "ritual";

export function messageFileName(id: string): string {
  return id + MESSAGE_ENDING;
}

export function messageIdOf(fileName: string): string {
  return fileName.slice(0, -MESSAGE_ENDING.length);
}

export function isMessageFileName(fileName: string): boolean {
  return fileName.endsWith(MESSAGE_ENDING) && !fileName.startsWith(".");
}

export function answerFileName(requestId: string): string {
  return requestId + ANSWER_ENDING;
}

/** Undefined if the file is not an answer to a request. */
export function requestIdOfAnswer(fileName: string): string | undefined {
  return fileName.endsWith(ANSWER_ENDING) ? fileName.slice(0, -ANSWER_ENDING.length) : undefined;
}

/** A file under `tmp/` names its owner, so that others can remove it once the owner is dead. */
export function asideName(owner: string, id: string): string {
  return `${owner}~${id}`;
}

const ASIDE_NAME = /^([1-9]\d{0,9}(?:-[A-Za-z0-9.]{1,64})?-[0-9a-z]{6})~([0-9a-z]{12}-[0-9a-z]{6})$/;

/** Undefined if the store did not make that name; nothing else is ever removed from `tmp/`. */
export function parseAsideName(fileName: string): { owner: string; id: string } | undefined {
  const [, owner, id] = ASIDE_NAME.exec(fileName) ?? [];
  return owner === undefined || id === undefined ? undefined : { owner, id };
}
