/** The layout of the store on disk, as docs/store-format.md describes it. Only this file knows it. */
import { join } from "node:path";
import type { Role } from "../../army/roles.ts";

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
  "locks",
  "requests",
  "journal",
  "hub",
] as const;
/** Made only for an army on several machines. */
export const HUB_FOLDER = "hub";
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

export interface StorePaths {
  root: string;
  format: string;
  /** The army's own file. */
  army: string;
  /** The current file, and the folder of the earlier ones. */
  journal: string;
  segments: string;
  tmp: string;
  quarantine: string;
  presence: string;
  statuses: string;
  flags: string;
  agents: string;
  conversations: string;
  locks: string;
  /** The requests of all roles, and the desks that are open. */
  requests: string;
  inbox(role: Role): string;
  /** The folder of a role's readers that hold messages, one subfolder each. */
  claims(role: Role): string;
  status(role: Role): string;
  agent(role: Role): string;
  conversation(role: Role): string;
  /** The file in which a practice agent keeps a conversation. */
  practiceTranscript(id: string): string;
  /** Held by the process that types into the role's pane. */
  typingLock(role: Role): string;
  /** Held by the process that gives a ritual, so that only one does at a time. */
  ritualLock: string;
  /** Held by the process that starts a role's agent. */
  startLock(role: Role): string;
  /** Held by the command that restarts a role's agent. */
  restartLock(role: Role): string;
  pending(role: Role): string;
  /** The folder of what a role's agent asks the person. */
  requestsOf(role: Role): string;
  request(role: Role, id: string): string;
  requestAnswer(role: Role, id: string): string;
  /** How the role's last requests ended. */
  requestEnds(role: Role): string;
  /** One file per open desk. */
  desks: string;
  /** What an army on several machines keeps: see docs/store-format.md. */
  hub: string;
  /** What was last heard of a role on another machine. */
  away(role: Role): string;
  /** Whether the hub can be reached. */
  hubLink: string;
}

export function storePaths(root: string): StorePaths {
  return {
    root,
    format: join(root, "store.json"),
    army: join(root, "army.json"),
    journal: join(root, "journal.jsonl"),
    segments: join(root, "journal"),
    tmp: join(root, "tmp"),
    quarantine: join(root, "quarantine"),
    presence: join(root, "presence"),
    statuses: join(root, "status"),
    flags: join(root, "pending"),
    agents: join(root, "agents"),
    conversations: join(root, "conversations"),
    locks: join(root, "locks"),
    requests: join(root, "requests"),
    inbox: (role) => join(root, "inbox", role),
    claims: (role) => join(root, "claimed", role),
    status: (role) => join(root, "status", `${role}.json`),
    agent: (role) => join(root, "agents", `${role}.json`),
    practiceTranscript: (id) => join(root, "conversations", `${id}.jsonl`),
    conversation: (role) => join(root, "conversations", `${role}.json`),
    ritualLock: join(root, "locks", "ritual"),
    typingLock: (role) => join(root, "locks", `typing-${role}`),
    startLock: (role) => join(root, "locks", `start-${role}`),
    restartLock: (role) => join(root, "locks", `restart-${role}`),
    pending: (role) => join(root, "pending", role),
    requestsOf: (role) => join(root, "requests", role),
    request: (role, id) => join(root, "requests", role, messageFileName(id)),
    requestAnswer: (role, id) => join(root, "requests", role, answerFileName(id)),
    requestEnds: (role) => join(root, "requests", role, "ended"),
    desks: join(root, "requests", "desks"),
    hub: join(root, HUB_FOLDER),
    away: (role) => join(root, HUB_FOLDER, "away", `${role}.json`),
    hubLink: join(root, HUB_FOLDER, "link.json"),
  };
}

export function messageFileName(id: string): string {
  return id + MESSAGE_ENDING;
}

export function messageIdOf(fileName: string): string {
  return fileName.slice(0, -MESSAGE_ENDING.length);
}

export function answerFileName(requestId: string): string {
  return requestId + ANSWER_ENDING;
}

/** Undefined if the file is not an answer to a request. */
export function requestIdOfAnswer(fileName: string): string | undefined {
  return fileName.endsWith(ANSWER_ENDING) ? fileName.slice(0, -ANSWER_ENDING.length) : undefined;
}

export function isMessageFileName(fileName: string): boolean {
  return fileName.endsWith(MESSAGE_ENDING) && !fileName.startsWith(".");
}

/** A file under `tmp/` names its owner, so that others can remove it once the owner is dead. */
export function asideName(owner: string, id: string): string {
  return `${owner}~${id}`;
}

const ASIDE_NAME = /^[1-9]\d{0,9}(-[A-Za-z0-9.]{1,64})?-[0-9a-z]{6}~[0-9a-z]{12}-[0-9a-z]{6}$/;

/** Only names of this form are ever removed from `tmp/`. */
export function isAsideName(fileName: string): boolean {
  return ASIDE_NAME.test(fileName);
}

export function ownerOfAside(fileName: string): string {
  return fileName.split("~", 1)[0] ?? "";
}

export function messageIdOfAside(path: string): string {
  return path.slice(path.lastIndexOf("~") + 1);
}
