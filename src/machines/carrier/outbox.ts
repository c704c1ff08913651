/**
 * Mail that the hub has not confirmed, in synced files on the sender's machine: one folder per sender, one file per
 * message, in the order of their names.
 *
 * A message keeps the key it was first sent with, so it is stored once even if the first attempt had arrived after
 * all. As long as a sender has mail here, its later mail queues behind it.
 */
import { mkdirSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { PRIORITIES } from "../../army/words.ts";
import { publishNewFile, syncFolder } from "../../system/durable-files.ts";
import { hasErrorCode } from "../../system/file-error.ts";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { identifyOurselves, isProcessAlive } from "../../system/process.ts";
import { readPlainFile } from "../../system/read-file.ts";
import { createIdSource, randomDigits } from "../../mail/store/message.ts";
import { WAITING_NAME } from "../../mail/records/away.ts";
import type { HubUser } from "./subjects.ts";

const waitingFile = lazily(() =>
  z.object({
    key: z.string(),
    subject: z.string(),
    to: z.enum(ROLES),
    priority: z.enum(PRIORITIES),
    /** The machine it was sent from. */
    machine: z.optional(z.string()),
    /** The message as its reader gets it. */
    text: z.string(),
    /** When it was kept. */
    at: z.iso.datetime(),
  }),
);

export type Waiting = z.infer<ReturnType<typeof waitingFile>>;

export interface Outbox {
  keep(user: HubUser, waiting: Waiting): void;
  /** The oldest first, by name. */
  list(user: HubUser): string[];
  isEmpty(user: HubUser): boolean;
  /** Undefined if it is gone or damaged. */
  read(user: HubUser, name: string): Waiting | undefined;
  forget(user: HubUser, name: string): void;
  /** Held by the process that passes a sender's mail on. */
  lock(user: HubUser): string;
}

/** A file that is still being written, with its writer. */
const UNFINISHED = /^\.(\d+-[\w.-]+)~[0-9a-z]{12}-[0-9a-z]{6}\.json$/;

export function openOutbox(folder: string, now: () => number = Date.now): Outbox {
  const nextId = createIdSource(now);
  const folderOf = (user: HubUser): string => join(folder, user);
  const list = (user: HubUser): string[] => {
    try {
      return readdirSync(folderOf(user))
        .filter((name) => WAITING_NAME.test(name))
        .toSorted();
    } catch (error) {
      if (hasErrorCode(error, "ENOENT")) return [];
      throw error;
    }
  };
  const read = (user: HubUser, name: string): Waiting | undefined => {
    const file = readPlainFile(join(folderOf(user), name));
    const parsed = "text" in file ? waitingFile().safeParse(parseJson(file.text)) : undefined;
    return parsed?.success ? parsed.data : undefined;
  };
  return {
    list,
    read,
    isEmpty: (user) => list(user).length === 0,
    keep(user, waiting) {
      const made = mkdirSync(folderOf(user), { recursive: true, mode: 0o700 });
      if (made !== undefined) syncFolder(folder);
      for (;;) {
        const last = list(user)
          .at(-1)
          ?.replace(/\.json$/, "");
        const name = `${nextId(last)}.json`;
        const aside = join(folderOf(user), `.${identifyOurselves()}-${randomDigits()}~${name}`);
        const content = `${JSON.stringify(waiting)}\n`;
        if (publishNewFile({ aside, target: join(folderOf(user), name), content })) return;
      }
    },
    forget(user, name) {
      try {
        unlinkSync(join(folderOf(user), name));
      } catch (error) {
        if (!hasErrorCode(error, "ENOENT")) throw error;
      }
      removeLeftovers(folderOf(user));
    },
    lock: (user) => join(folder, `passing-${user}`),
  };
}

/** Files that killed senders had not finished: nobody was told that they were kept. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, owner] = UNFINISHED.exec(name) ?? [];
    if (owner === undefined || isProcessAlive(owner)) continue;
    try {
      unlinkSync(join(folder, name));
    } catch {
      // Another process removed it first.
    }
  }
}
