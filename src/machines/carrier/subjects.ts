/**
 * The names on a hub: streams, subjects and the keys of the board. The server's configuration and the relays' calls
 * both come from here. docs/internals/several-machines.md describes them.
 *
 * Each army has an account of its own on the server, so no name contains the army's.
 */
import { perRole, RECIPIENTS, type Recipient, type Role, type Sender } from "../../army/roles.ts";

/** Who has a key of its own on the hub. */
export const HUB_USERS = RECIPIENTS;

export type HubUser = Recipient;

export function perUser<Value>(make: (user: HubUser) => Value): Record<HubUser, Value> {
  return { ...perRole(make), human: make("human") };
}

/**
 * What is on the board: how a role is and where, the note about its handed-over mail, the person's last order, the keys of
 * a machine that has joined, that the tasks have changed, and what a role asks about them, with the strategist's answer.
 */
export type BoardKind =
  "presence" | "handed" | "order" | `joined-${string}` | "tasks" | "question" | `answer-${Role}`;

export const BOARD = "KV_board";
export const JOURNAL = "JOURNAL";

export function inboxStream(role: Role): string {
  return `INBOX_${role}`;
}

/** The last word is the sender; the server lets each account use its own only. */
export function inboxSubject(to: Role | "*", from: Sender | "*"): string {
  return `inbox.${to}.${from}`;
}

/** The server publishes here what it has stored in an inbox, without its body. */
export function arrivedSubject(role: Role): string {
  return `arrived.${role}.*`;
}

export function boardSubject(kind: string, user: HubUser): string {
  return `$KV.board.${kind}.${user}`;
}

/** The server publishes here what was put on the board. */
export const BOARD_NEWS = "board.>";
export const BOARD_PRESENCE = "board.presence.*";
export const BOARD_ORDER = "board.order.human";
export const BOARD_TASKS = "board.tasks.strategist";
export const BOARD_QUESTION = "board.question.*";

export function journalSubject(user: string): string {
  return `journal.${user}`;
}

/** The server publishes here what was added to the journal. */
export const JOURNAL_NEWS = "happened.*";

/** Calls of the server's own interface. */
export const CALLS = {
  /** Reads mail, and leaves it there. */
  mail: (role: Role) => `$JS.API.DIRECT.GET.${inboxStream(role)}`,
  remove: (role: Role) => `$JS.API.STREAM.MSG.DELETE.${inboxStream(role)}`,
  inbox: (role: Role) => `$JS.API.STREAM.INFO.${inboxStream(role)}`,
  /** Reads the newest value of a key of the board. */
  board: (kind: string, user: HubUser) => `$JS.API.DIRECT.GET.${BOARD}.${boardSubject(kind, user)}`,
  boardAll: `$JS.API.DIRECT.GET.${BOARD}.$KV.board.>`,
  journal: `$JS.API.DIRECT.GET.${JOURNAL}`,
} as const;

/**
 * Under these names an account calls what the server would otherwise answer twice, first with an error about the
 * account's own streams, of which it has none.
 */
export const OWN_NAMES = {
  mail: "box.mail",
  remove: "box.remove",
  inbox: "box.info",
  inboxOf: (role: Role) => `post.info.${role}`,
  journal: "post.journal",
} as const;

/** Older servers ignore half of what an army needs without a word. */
export const OLDEST_SERVER = "2.12.0";

/** The largest possible message, with every character escaped, its subject and its headers. */
export const MESSAGE_BYTES = 600_000;
