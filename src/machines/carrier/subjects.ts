/**
 * The names on a hub: streams, subjects and the keys of the board. The server's configuration and the relays' calls
 * both come from here. docs/several-machines.md describes them.
 *
 * Each army has an account of its own on the server, so no name contains the army's.
 */
import { ROLES, type Role, type Sender } from "../../army/roles.ts";

/** Who has a key of its own on the hub. */
export const HUB_USERS = [...ROLES, "human"] as const;

export type HubUser = (typeof HUB_USERS)[number];

/** The same for each user. */
export function perUser<Value>(make: (user: HubUser) => Value): Record<HubUser, Value> {
  return {
    overlord: make("overlord"),
    strategist: make("strategist"),
    inferno: make("inferno"),
    glacier: make("glacier"),
    shadow: make("shadow"),
    storm: make("storm"),
    human: make("human"),
  };
}

/**
 * What is on the board: how a role is and where, the note about its handed-over mail, the person's last order, and the
 * keys of a machine that has joined.
 */
export type BoardKind = "presence" | "handed" | "order" | `joined-${string}`;

export const BOARD = "KV_board";
export const JOURNAL = "JOURNAL";
export const READER = "reader";

export function inboxStream(role: Role): string {
  return `INBOX_${role}`;
}

/** The last word is the sender; the server lets each account use its own only. */
export function inboxSubject(to: Role | "*", from: Sender | "*"): string {
  return `inbox.${to}.${from}`;
}

/** The server publishes here what it has stored in an inbox, without its body. */
export function arrivedSubject(role: Role, from: string): string {
  return `arrived.${role}.${from}`;
}

export function boardSubject(kind: BoardKind | "*", user: HubUser | "*"): string {
  return boardKey(kind, user);
}

export function boardKey(kind: string, user: HubUser | "*"): string {
  return `$KV.board.${kind}.${user}`;
}

/** The server publishes here what was put on the board. */
export const BOARD_NEWS = "board.>";
export const BOARD_PRESENCE = "board.presence";
export const BOARD_ORDER = "board.order.human";

export function journalSubject(user: HubUser | "*"): string {
  return `journal.${user}`;
}

/** The server publishes here what was added to the journal. */
export const JOURNAL_NEWS = "happened.*";

/** Calls of the server's own interface. */
export const CALLS = {
  next: (role: Role) => `$JS.API.CONSUMER.MSG.NEXT.${inboxStream(role)}.${READER}`,
  acks: (role: Role) => `$JS.ACK.${inboxStream(role)}.${READER}.>`,
  consumerInfo: (role: Role) => `$JS.API.CONSUMER.INFO.${inboxStream(role)}.${READER}`,
  streamInfo: (role: Role) => `$JS.API.STREAM.INFO.${inboxStream(role)}`,
  /** Reads the newest value of a key of the board. */
  board: (kind: BoardKind | "*", user: HubUser | "*") =>
    `$JS.API.DIRECT.GET.${BOARD}.${boardSubject(kind, user)}`,
  boardAll: `$JS.API.DIRECT.GET.${BOARD}.$KV.board.>`,
  journal: `$JS.API.DIRECT.GET.${JOURNAL}`,
} as const;

/**
 * Under these names an account calls what the server would otherwise answer twice, first with an error about the
 * account's own streams, of which it has none.
 */
export const OWN_NAMES = {
  reader: "box.reader",
  inbox: "box.info",
  readerOf: (role: Role) => `post.reader.${role}`,
  inboxOf: (role: Role) => `post.info.${role}`,
  journal: "post.journal",
} as const;

/** Older servers ignore half of what an army needs without a word. */
export const OLDEST_SERVER = "2.12.0";

/** The largest possible message, with every character escaped, its subject and its headers. */
export const MESSAGE_BYTES = 600_000;
