/**
 * Puts a message from another machine into the inbox of a role of this machine, under the id that the hub gave it.
 *
 * It may be called again with the same message: a message that is in the inbox or with a reader is not stored twice.
 * From here on it is mail like any other. Its sender is the one whose account the hub let write it.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { publishNewFile } from "../../system/durable-files.ts";
import { asideFor } from "./aside.ts";
import { record } from "../journal/journal.ts";
import { printMessage, type ReceivedMessage } from "./message.ts";
import { isMessageId } from "./message-id.ts";
import { messageFileName } from "./paths.ts";
import { access, type Store } from "./store.ts";

export interface CarriedMessage extends ReceivedMessage {
  /** The machine it was sent from, if it says so. */
  machine?: string | undefined;
}

/** False if it is already there. The id becomes the name of a file, so it must be one. */
export function takeIn(store: Store, { machine = "", ...message }: CarriedMessage): boolean {
  const { redelivered: _mark, ...content } = message;
  const { to } = message;
  if (!isMessageId(message.id)) throw new Error(`not an id: ${message.id}`);
  const name = messageFileName(message.id);
  return access(store, () => {
    if (isHeld(store.paths.claims(to), name)) return false;
    return publishNewFile({
      aside: asideFor(store, message.id),
      target: join(store.paths.inbox(to), name),
      content: printMessage(message),
      whenDurable: () => record(store, [{ event: "stored", ...content, machine }]),
      onStep: store.onStep,
    });
  });
}

/** Whether a reader has taken it and not settled it. */
function isHeld(claims: string, name: string): boolean {
  return readdirSync(claims).some((owner) => existsSync(join(claims, owner, name)));
}
