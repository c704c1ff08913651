/** The streams of one army, and the one reader of each inbox: what they are, and how they are made. */
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { MOST_MAIL } from "../../army/words.ts";
import { MESSAGE_BYTES, BOARD, inboxStream, inboxSubject, JOURNAL, READER } from "../carrier/subjects.ts";
import { parseJson } from "../../system/json.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { ask, type Link } from "../carrier/link.ts";

/** The stream is there with another configuration. */
const IN_USE = 10_058;

const answer = z.object({ error: z.optional(z.object({ err_code: z.int(), description: z.string() })) });

/** Makes them, or brings them up to date; what they contain stays. `replicas`: how many servers keep each message. */
export async function makeStreams(link: Link, replicas = 1): Promise<void> {
  for (const wish of armyStreams(replicas)) await makeStream(link, wish);
}

async function makeStream(link: Link, { config, reader }: StreamWish): Promise<void> {
  const made = await call(link, `$JS.API.STREAM.CREATE.${config.name}`, config);
  if (made?.err_code === IN_USE) require(await call(link, `$JS.API.STREAM.UPDATE.${config.name}`, config));
  else require(made);
  if (reader === undefined) return;
  const subject = `$JS.API.CONSUMER.DURABLE.CREATE.${config.name}.${String(reader["durable_name"])}`;
  require(await call(link, subject, { stream_name: config.name, config: reader }));
}

async function call(link: Link, subject: string, request: object) {
  const got = await ask(link, subject, { data: JSON.stringify(request), withinMs: 10_000 });
  if ("silence" in got) {
    throw new OvldError({
      code: "hub-not-started",
      facts: { reason: `${subject}: ${got.silence}`, log: "" },
    });
  }
  const parsed = answer.safeParse(parseJson(got.message.string()));
  return parsed.success ? parsed.data.error : { err_code: 0, description: "not understood" };
}

function require(error: { err_code: number; description: string } | undefined): void {
  if (error !== undefined) throw new OvldError({ code: "hub-full", facts: { reason: error.description } });
}

const SECONDS = 1_000_000_000;
/** The note about handed-over mail has up to 112 kB. */
const BOARD_BYTES = 256 * 1024;
/** The server sets this aside for each army, used or not. */
const JOURNAL_BYTES = 4 * 1024 * 1024;

/** A stream, and the durable reader that it has, as the server's interface wants them. */
interface StreamWish {
  config: { name: string } & Record<string, unknown>;
  reader?: Record<string, unknown>;
}

function armyStreams(replicas: number): StreamWish[] {
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
