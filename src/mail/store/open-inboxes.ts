/** The inboxes of an army: messages that wait, are taken and are settled, and the flags that say who was rung. */
import type { Role } from "../../army/roles.ts";
import { claimInbox, claimShort, type ShortLimit } from "./claim.ts";
import { deliver, roomIn, takeIn, type CarriedMessage } from "./deliver.ts";
import type { MessageDraft } from "./message.ts";
import { lowerFlag, raiseFlag, readFlag, renewFlag, type FlagNote } from "./pending-flag.ts";
import { access, type Store } from "./store.ts";
import { countUnread, listUnread, peekAt, readHeaders } from "./unread.ts";
import { watchFolder, type WatchOptions } from "./watch-folder.ts";

export function openInboxes(store: Store) {
  return {
    /** Stores a message durably; if it throws, nothing was stored. */
    deliver: (draft: MessageDraft) => deliver(store, draft),
    /** Puts mail from another machine into the inbox, under its own id; false if it is already there. */
    takeIn: (message: CarriedMessage) => takeIn(store, message),
    /** How many more messages fit into an inbox. */
    room: (role: Role) => roomIn(store, role),
    /** Takes all unread mail of a role and lowers its flag. */
    claim: (role: Role) => claimInbox(store, role),
    /** Claims these messages for a bell to carry, if they wait in the inbox and together are short enough. */
    claimShort: (role: Role, ids: readonly string[], limit: ShortLimit) =>
      claimShort(store, role, ids, limit),
    /** How many messages wait, including those that a reader has taken and not settled. */
    countUnread: (role: Role) => countUnread(store, role),
    /** The unread messages, oldest first; those that this process has handed out only on request. */
    unread: (role: Role, which: { handedOut: boolean }) => listUnread(store, role, which),
    /** What is known about these messages apart from their bodies; if many are new, not about all of them yet. */
    headers: (role: Role, ids: readonly string[]) => readHeaders(store, role, ids),
    /** Reads a message without taking it. */
    peek: (role: Role, id: string) => peekAt(store, role, id),
    /** Calls back when mail may have arrived, and also at regular intervals. */
    watchInbox: (role: Role, onChange: () => void, how: WatchOptions) =>
      watchFolder(store.paths.inbox(role), onChange, how),
    /** True if the flag was down and is now up. */
    raiseFlag: (role: Role, note: FlagNote) => raiseFlag(store, role, note),
    renewFlag: (role: Role, note: FlagNote) => renewFlag(store, role, note),
    flag: (role: Role) => readFlag(store, role),
    lowerFlag: (role: Role) => access(store, () => lowerFlag(store, role)),
  };
}
