/**
 * The note about handed-over mail: one per role, on the hub's board, written before mail is handed over.
 *
 * The server's own count of deliveries is lost when it is killed, and so is its memory of keys. The note closes both
 * gaps: a reader of a message whose key is in it marks the message. It also says who holds mail, so that the mail of a
 * reader that died can be put back at once.
 */
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import type { Role } from "../../army/roles.ts";
import { CHANGED } from "./board.ts";
import { ask, type Link } from "./link.ts";
import { boardSubject, CALLS } from "./subjects.ts";

const KEYS_KEPT = 2_000;
const ANSWER_MS = 1_500;
const MOST_TRIES = 10;

const noteFile = lazily(() =>
  z.object({
    /** Who holds mail that is not settled. */
    readers: z.array(z.string()),
    /** The keys of the last messages that were handed over, the newest last. */
    keys: z.array(z.string()),
  }),
);

export type HandedNote = z.infer<ReturnType<typeof noteFile>>;

/** A note, and its number on the board. */
export interface NoteRead {
  note: HandedNote;
  revision: number;
}

export async function readNote(link: Link, role: Role): Promise<NoteRead> {
  const got = await ask(link, CALLS.board("handed", role), { withinMs: ANSWER_MS });
  if ("silence" in got) throw unreachable(link, got.silence);
  const { message } = got;
  const isMissing = message.headers?.code === 404;
  if (isMissing) return { note: { readers: [], keys: [] }, revision: 0 };
  const revision = Number(message.headers?.get("Nats-Sequence"));
  const parsed = noteFile().safeParse(parseJson(message.string()));
  return { note: parsed.success ? parsed.data : { readers: [], keys: [] }, revision };
}

/**
 * Writes what `change` makes of the note. If another reader has written it in between, `change` is asked again with
 * that reader's note, so that nothing in it is lost.
 */
export async function changeNote(
  link: Link,
  role: Role,
  known: NoteRead | undefined,
  change: (note: HandedNote) => HandedNote,
): Promise<NoteRead> {
  let read = known;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    read ??= await readNote(link, role);
    const { note, revision } = read;
    const { readers, keys } = change(note);
    const changed = { readers, keys: keys.slice(-KEYS_KEPT) };
    const got = await ask(link, boardSubject("handed", role), {
      data: JSON.stringify(changed),
      headers: { "Nats-Expected-Last-Subject-Sequence": String(revision) },
      withinMs: ANSWER_MS,
    });
    if ("silence" in got) throw unreachable(link, got.silence);
    const answer = parseAnswer(got.message.string());
    if (answer.seq !== undefined) return { note: changed, revision: answer.seq };
    if (answer.error?.err_code !== CHANGED) {
      throw new OvldError({ code: "hub-full", facts: { reason: answer.error?.description ?? "" } });
    }
    read = undefined;
  }
  throw unreachable(link, "the note keeps changing");
}

const putAnswer = lazily(() =>
  z.object({
    seq: z.optional(z.int()),
    error: z.optional(z.object({ err_code: z.int(), description: z.string() })),
  }),
);

function parseAnswer(text: string): z.infer<ReturnType<typeof putAnswer>> {
  const parsed = putAnswer().safeParse(parseJson(text));
  // An error comes with the number 0.
  return parsed.success && parsed.data.error === undefined ? parsed.data : { error: parsed.data?.error };
}

export function unreachable(link: Link, reason: string): OvldError {
  return new OvldError({
    code: "hub-unreachable",
    facts: { servers: [], reason: link.down()?.why ?? reason },
  });
}
