/** The streams of one army: what they are, and how they are made. */
import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { MOST_MAIL } from "../../army/words.ts";
import { MESSAGE_BYTES, BOARD, inboxStream, inboxSubject, JOURNAL } from "../carrier/subjects.ts";
import { parseJson } from "../../system/json.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { askHub, type Link } from "../carrier/link.ts";

/** The stream is there with another configuration. */
const IN_USE = 10_058;

const answer = z.object({ error: z.optional(z.object({ err_code: z.int(), description: z.string() })) });

/** Makes them, or brings them up to date; what they contain stays. `replicas`: how many servers keep each message. */
export async function makeStreams(link: Link, replicas = 1): Promise<void> {
  for (const config of armyStreams(replicas)) {
    let error = await call(link, `$JS.API.STREAM.CREATE.${config.name}`, config);
    if (error?.err_code === IN_USE) error = await call(link, `$JS.API.STREAM.UPDATE.${config.name}`, config);
    if (error !== undefined) throw new OvldError({ code: "hub-full", facts: { reason: error.description } });
  }
}

/** What the server has against it; undefined if it has done it. */
async function call(link: Link, subject: string, request: object) {
  const got = await askHub(link, subject, { data: JSON.stringify(request), withinMs: 10_000 });
  if ("silence" in got) {
    const facts = { reason: `${subject}: ${got.silence}`, log: "" };
    throw new OvldError({ code: "hub-not-started", facts });
  }
  const parsed = answer.safeParse(parseJson(got.message.string()));
  return parsed.success ? parsed.data.error : { err_code: 0, description: "not understood" };
}

const SECONDS = 1_000_000_000;
/** The note about handed-over mail has up to 112 kB. */
const BOARD_BYTES = 256 * 1024;
/** The server sets this aside for each army, used or not. */
const JOURNAL_BYTES = 4 * 1024 * 1024;

function armyStreams(replicas: number): ({ name: string } & Record<string, unknown>)[] {
  const kept = { storage: "file", num_replicas: replicas, allow_direct: true };
  return [
    ...ROLES.map((role) => ({
      name: inboxStream(role),
      subjects: [inboxSubject(role, "*")],
      ...kept,
      // Mail is read where it is, and removed by its reader. A hub that was made with another reader keeps this.
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
    })),
    {
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
    {
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
  ];
}
