/** Puts a message into its recipient's inbox; once this returns, no crash can lose the message. */
import { join } from "node:path";
import { publishNewFile } from "../../system/durable-files.ts";
import { asideFor } from "./aside.ts";
import { record } from "../journal/journal.ts";
import { checkDraft, printMessage, type MessageDraft, type Message } from "./message.ts";
import { requireRoom } from "./inbox-room.ts";
import { messageFileName } from "./paths.ts";
import { access, type Store } from "./store.ts";

export function deliver(store: Store, draft: MessageDraft): Message {
  const checked = checkDraft(draft, store.limits);
  const inbox = store.paths.inbox(draft.to);
  return access(store, () => {
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
  const published = publishNewFile({
    aside: asideFor(store, message.id),
    target: join(inbox, messageFileName(message.id)),
    content: printMessage(message),
    early: true,
    whenDurable: () => record(store, [{ event: "stored", ...message, by: store.origin }]),
    onStep: store.onStep,
  });
  return published ? message : publish(store, inbox, draft, message.id);
}
