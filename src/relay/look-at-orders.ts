/** What the roles have in hand at this moment, and who works for whom: read from the mail, the statuses and the board. */
import { isAbove, isRole, ROLES, type Recipient, type Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import type { Order } from "../mail/records/orders.ts";
import type { Task, TaskPlace } from "../work/board.ts";
import type { Work } from "../work/work.ts";
import { bringUpToDate } from "./decide-about-orders.ts";

export type OrdersInView = ReturnType<typeof lookAtOrders>;

/** Until then a role on another machine has hardly had the time to say that it works on what was sent to it. */
const HEARD_WITHIN_MS = 15_000;

/**
 * `work` is undefined for an army without trees. `sentAway`: when this relay's role last wrote to a role on another
 * machine.
 */
export function lookAtOrders(
  mail: Mail,
  work: Pick<Work, "board"> | undefined,
  sentAway: ReadonlyMap<Recipient, number> = new Map(),
) {
  const hasMail = (role: Role, from: (sender: string, toAll?: true) => boolean): boolean =>
    mail
      .headers(role, mail.unread(role, { handedOut: "by any" }))
      .some((header) => from(header.from, header.toAll));

  function inHand(role: Role): Order[] {
    const places = work?.board.list() ?? [];
    const tasks = places.flatMap((place) => taskFor(role, place, places));
    const questions = ROLES.filter((each) => each !== role).flatMap((each) => questionOf(each, role));
    const known = mail.orders(role).filter((order) => !isOver(order));
    return bringUpToDate(known, [...tasks, ...questions]);
  }

  /** Whoever gave it has an answer, and is done. */
  function isOver({ kind, from, at, rests }: Order): boolean {
    if (kind !== "mail" || !rests || !isRole(from)) return false;
    const { status, updated } = mail.peekStatus(from);
    return status === "done" && (updated ?? "") >= at;
  }

  /** A task that the role has taken, or that it alone may take now. */
  function taskFor(role: Role, place: TaskPlace, places: readonly TaskPlace[]): Order[] {
    const { id, state, owner } = place;
    const isTaken = owner === role && (state === "taken" || state === "returned");
    if (!isTaken && state !== "open") return [];
    const task = work?.board.read(id);
    const isDue = isTaken || (task?.to === role && isFree(task, places));
    if (task === undefined || !isDue || task.by === role) return [];
    const at = work?.board.since(place) ?? task.created;
    return [{ id, kind: "task", from: task.by, subject: task.title, at }];
  }

  /** A role that waits for another and has no answer on its way, after its words have been read. */
  function questionOf(asker: Role, role: Role): Order[] {
    const { status, task, updated, waitsFor } = mail.peekStatus(asker);
    if (status !== "blocked" || waitsFor !== role || updated === null) return [];
    if (hasMail(asker, (from) => from === role) || hasMail(role, (from) => from === asker)) return [];
    // If the clock has been set back since, nothing can be compared with that time.
    const at = Date.parse(updated) > Date.now() ? new Date(0).toISOString() : updated;
    return [{ id: `${asker} ${updated}`, kind: "question", from: asker, subject: task, at }];
  }

  /** When a role gave the latest order that somebody works on; undefined if nobody works for it. */
  function othersWorkSince(role: Role): string | undefined {
    const others = ROLES.filter((each) => each !== role);
    const known = others.flatMap((other) => workOf(other, role));
    const places = work?.board.list() ?? [];
    const coming = places.flatMap((place) => {
      const task = ["open", "ready", "landing"].includes(place.state)
        ? work?.board.read(place.id)
        : undefined;
      if (task?.by !== role) return [];
      return place.state === "open" && !isComing(task, places)
        ? []
        : [work?.board.since(place) ?? task.created];
    });
    return [...known, ...coming].toSorted().at(-1);
  }

  function workOf(other: Role, role: Role): string[] {
    const now = new Date().toISOString();
    const isNew = performance.now() - (sentAway.get(other) ?? -Infinity) < HEARD_WITHIN_MS;
    if (isNew && isAbove(role, other)) return [now];
    const away = mail.away(other);
    // Of another machine only this much is known.
    if (away !== undefined)
      return !away.isSilent && (away.unread > 0 || away.status === "working" || away.agent?.state === "busy")
        ? [now]
        : [];
    if (isAbove(role, other) && hasMail(other, (from, toAll) => from === role && !toAll)) return [now];
    const { status, waitsFor } = mail.peekStatus(other);
    const isStuck = status === "blocked" && (waitsFor === role || waitsFor === undefined);
    const state = mail.agentReport(other)?.state;
    const isAtWork = state === "busy" || state === "asking";
    return inHand(other)
      .filter(({ from, told = [], answered, done }) => {
        const isKnownToRest = told.some((each) => each === "stalled" || each === "gone" || each === "done");
        return from === role && !isStuck && !isKnownToRest && (isAtWork || !(answered || done));
      })
      .map(({ at }) => at);
  }

  return { inHand, othersWorkSince };
}

function isFree({ after }: Task, places: readonly TaskPlace[]): boolean {
  return after.every((id) => places.some((place) => place.id === id && place.state === "landed"));
}

/** It waits for others that may still land; one that has been dropped never does. */
function isComing({ after }: Task, places: readonly TaskPlace[]): boolean {
  const states = after.map((id) => places.find((place) => place.id === id)?.state);
  return !states.includes("dropped") && states.some((state) => state !== "landed");
}
