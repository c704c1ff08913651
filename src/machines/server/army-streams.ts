/** The streams of one army, and the one reader of each inbox. Pure. */
import { ROLES, type Role } from "../../army/roles.ts";
import { MOST_MAIL } from "../../army/words.ts";
import { MESSAGE_BYTES } from "../carrier/server-needs.ts";
import { BOARD, inboxStream, inboxSubject, JOURNAL, READER } from "../carrier/subjects.ts";

const SECONDS = 1_000_000_000;
/** The note about handed-over mail has up to 112 kB. */
const BOARD_BYTES = 256 * 1024;
/** The server sets this aside for each army, used or not. */
const JOURNAL_BYTES = 4 * 1024 * 1024;

/** A stream, and the durable reader that it has, as the server's interface wants them. */
export interface StreamWish {
  config: { name: string } & Record<string, unknown>;
  reader?: Record<string, unknown>;
}

export function armyStreams(replicas: number): StreamWish[] {
  const kept = { storage: "file", num_replicas: replicas, allow_direct: true };
  return [
    ...ROLES.map((role) => ({ config: { ...inbox(role), ...kept }, reader: READER_CONFIG })),
    {
      config: {
        name: BOARD,
        subjects: ["$KV.board.>"],
        ...kept,
        retention: "limits",
        max_msgs_per_subject: 1,
        discard: "new",
        // With it, any role could clear the whole board by one message. Marks of what has expired would need it.
        allow_rollup_hdrs: false,
        deny_delete: true,
        max_msg_size: BOARD_BYTES,
        allow_msg_ttl: true,
        republish: { src: "$KV.board.>", dest: "board.>" },
      },
    },
    {
      config: {
        name: JOURNAL,
        subjects: ["journal.*"],
        ...kept,
        retention: "limits",
        max_msgs: 100_000,
        max_bytes: JOURNAL_BYTES,
        max_msg_size: MESSAGE_BYTES,
        discard: "old",
        // The journal is a record of the mail, not the mail: it is not synced, which several servers cannot do.
        ...(replicas === 1 && { persist_mode: "async" }),
        republish: { src: "journal.*", dest: "happened.{{wildcard(1)}}" },
      },
    },
  ];
}

function inbox(role: Role) {
  return {
    name: inboxStream(role),
    subjects: [inboxSubject(role, "*")],
    retention: "workqueue",
    max_msgs: MOST_MAIL.unreadPerInbox,
    discard: "new",
    max_msg_size: MESSAGE_BYTES,
    duplicate_window: 3_600 * SECONDS,
    republish: {
      src: inboxSubject(role, "*"),
      dest: `arrived.${role}.{{wildcard(1)}}`,
      headers_only: true,
    },
  };
}

const READER_CONFIG = {
  durable_name: READER,
  ack_policy: "explicit",
  deliver_policy: "all",
  // Mail of a reader that disappeared with its machine comes back after this time.
  ack_wait: 5 * SECONDS,
  max_deliver: -1,
  max_ack_pending: -1,
};
