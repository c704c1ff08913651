/**
 * What a role has in hand: the orders that it has read or taken and not answered yet. One file per role, written by
 * its own relay, by whatever sends mail in its name, and by the relay that tells others once its own is dead.
 */
import * as z from "zod/mini";
import { isRole, SENDERS, type Role, type Sender } from "../../army/roles.ts";
import { TROUBLES, type StatusWord } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { readRecord } from "../../system/record.ts";
import { cacheUnchanged } from "../store/cache-unchanged.ts";
import { LIMITS } from "../store/message.ts";
import { saveRecord, type Store } from "../store/store.ts";
import { shortLine } from "./agent-report.ts";

const ordersFile = lazily(() => {
  const flag = z.optional(z.literal(true));
  const order = z.object({
    /** A message, a task, or a role that waits for an answer, with the time since which it does. */
    id: z.pipe(z.string(), z.transform(cleanLine)),
    kind: z.enum(["mail", "task", "question"]),
    from: z.enum(SENDERS),
    subject: shortLine(LIMITS.subjectCharacters),
    at: z.iso.datetime(),
    /** It came in an answer that the model has not seen yet: what the role does at the same time is not about it. */
    unseen: flag,
    /** Since then the role has written to whoever gave it, or handed a task in. */
    answered: flag,
    /** That was in an earlier turn, and at its end nobody worked on it. */
    rests: flag,
    /** Since then the role has said that it is blocked, or that it is done. */
    waits: flag,
    done: flag,
    /** The agent has been reminded of it. */
    reminded: flag,
    /** What whoever gave it has been told. */
    told: z.optional(z.array(z.enum(TROUBLES))),
  });
  return z.object({ orders: z.array(order) });
});

export type Order = z.infer<ReturnType<typeof ordersFile>>["orders"][number];

/** Oldest first. Changes nothing in the store. */
export function readOrders(store: Store, role: Role): Order[] {
  try {
    return ordersIn(store.paths.orders(role))?.orders ?? [];
  } catch {
    return [];
  }
}

const ordersIn = cacheUnchanged((path) => readRecord(path, ordersFile()));

/** Not synced: after a power cut an agent may be reminded once more. */
export function writeOrders(store: Store, role: Role, orders: readonly Order[]): void {
  saveRecord(store, store.paths.orders(role), { orders }, false);
}

/** A role has written to somebody: that answers whatever it has in hand from there. */
export function answerOrders(store: Store, from: Sender, to: Sender): void {
  if (isRole(from)) mark(store, from, (order) => order.from === to && { answered: true });
}

/** A role has handed a task in: that is the answer to whatever mail it had read before. */
export function closeMail(store: Store, role: Role): void {
  mark(store, role, ({ kind }) => kind === "mail" && { answered: true, done: true });
}

/** A role has said how things stand. */
export function noteStatus(store: Store, role: Role, status: StatusWord): void {
  if (status === "working") return;
  mark(store, role, () => (status === "blocked" ? { waits: true } : { done: true }));
}

function mark(store: Store, role: Role, marks: (order: Order) => Partial<Order> | false): void {
  const before = readOrders(store, role);
  const after = before.map((order) => ({ ...order, ...(order.unseen ? {} : marks(order)) }));
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  try {
    writeOrders(store, role, after);
  } catch {
    // The mail or the status is stored: at worst the agent is reminded for nothing.
  }
}
