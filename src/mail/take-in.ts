/**
 * Puts a message from another machine into the inbox of a role of this machine, under the id that the hub gave it.
 *
 * It may be called again with the same message: a message that is in the inbox or with a reader is not stored twice.
 * From here on it is mail like any other. Its sender is the one whose account the hub let write it, so it gets the
 * seal that mail from that sender has on one machine. If the sender's own machine could not say who wrote it, the file
 * says so.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { publishNewFile } from "../system/durable-files.ts";
import { asideFor } from "./aside.ts";
import { record } from "./journal.ts";
import { printMessage, type ReceivedMessage } from "./message.ts";
import { isMessageId } from "./message-id.ts";
import { messageFileName } from "./paths.ts";
import { sealKey, sealMessage } from "./seal.ts";
import { access, type Store } from "./store.ts";

export interface CarriedMessage extends ReceivedMessage {
  /** The machine it was sent from, if it says so. */
  machine?: string | undefined;
}

/** False if it is already there. The id becomes the name of a file, so it must be one. */
export function takeIn(store: Store, { machine = "", ...message }: CarriedMessage): boolean {
  const { to, from, unverified, redelivered: _mark, ...content } = message;
  const inbox = store.paths.inbox(to);
  if (!isMessageId(message.id)) throw new Error(`not an id: ${message.id}`);
  const name = messageFileName(message.id);
  return access(store, [inbox, store.paths.claims(to), store.paths.tmp], () => {
    if (isHeld(store.paths.claims(to), name)) return false;
    const secret = store.sealing?.secret;
    const key = secret === undefined ? undefined : sealKey(secret, from);
    const { seal, proof } = sealMessage(key, message);
    return publishNewFile({
      aside: asideFor(store),
      target: join(inbox, name),
      content: printMessage(message, seal),
      onStep(step) {
        store.onStep?.(step);
        if (step === "synced") {
          record(store, [{ event: "stored", from, to, ...content, unverified, machine, proof }]);
        }
      },
    });
  });
}

/** Whether a reader has taken it and not settled it. */
function isHeld(claims: string, name: string): boolean {
  return readdirSync(claims).some((owner) => existsSync(join(claims, owner, name)));
}
