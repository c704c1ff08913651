/** Puts a message into its recipient's inbox; once this returns, no crash can lose the message. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { publishNewFile } from "../system/durable-files.ts";
import { asideFor } from "./aside.ts";
import { record } from "./journal.ts";
import { checkDraft, printMessage, type MessageDraft, type Message } from "./message.ts";
import { requireRoom } from "./inbox-room.ts";
import { messageFileName } from "./paths.ts";
import { sealMessage } from "./seal.ts";
import { access, type Store } from "./store.ts";

export function deliver(store: Store, draft: MessageDraft): Message {
  const checked = checkDraft(draft, store.limits);
  const inbox = store.paths.inbox(draft.to);
  return access(store, [inbox, store.paths.tmp], () => {
    const newest = requireRoom(store, draft.to);
    return publish(store, inbox, checked, newest);
  });
}

function publish(store: Store, inbox: string, draft: MessageDraft, newest: string | undefined): Message {
  const message: Message = {
    id: store.nextId(newest),
    ...draft,
    timestamp: new Date(store.now()).toISOString(),
  };
  const { seal, proof } = sealMessage(store.sealing?.keyFor(draft.to, draft.from), message);
  // A missing seal means something only where readers check for seals.
  const unverified = seal === undefined && existsSync(store.paths.secrets) ? true : undefined;
  const published = publishNewFile({
    aside: asideFor(store),
    target: join(inbox, messageFileName(message.id)),
    content: printMessage(message, seal),
    early: true,
    onStep(step) {
      store.onStep?.(step);
      // Before the message is visible, so that later events cannot precede it in the journal.
      if (step !== "written") return;
      record(store, [{ event: "stored", ...message, by: store.origin, unverified, proof }]);
    },
  });
  return published ? { ...message, unverified } : publish(store, inbox, draft, message.id);
}
