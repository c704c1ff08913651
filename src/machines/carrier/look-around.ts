/**
 * What one relay of a machine does for all of them, with the person's key: it writes down what is heard of roles on
 * other machines, adds what happened there to this machine's journal, and hears the person's orders.
 *
 * Only the relay that holds the lock does it. If it ends, the next one goes on.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isRole, ROLES, type Role } from "../../army/roles.ts";
import { takeLock } from "../../system/lock-file.ts";
import { oneAtATime } from "../../system/async.ts";
import { readRecord, writeRecord } from "../../system/record.ts";
import type { RoleNews } from "../../mail/records/away.ts";
import type { Mail } from "../../mail/mail.ts";
import { lastHubLine, readHubJournal, passJournal } from "./journal.ts";
import { openLink, type Link } from "./link.ts";
import { accessOf, rolesHere, type Membership } from "../membership.ts";
import { HEARD_FOR_SECONDS, parseNews, readPresence } from "./presence.ts";
import { BOARD_PRESENCE, JOURNAL_NEWS, BOARD_ORDER } from "./subjects.ts";
import * as z from "zod/mini";
import { readBoard } from "./board.ts";

export interface LookingAround {
  membership: Membership;
  mail: Mail;
  /** The army's folder for what concerns the hub. */
  folder: string;
  /** The person wants the army to end on all machines. */
  onEnd: () => void;
}

const LOOK_EVERY_MS = 1_000;

/** Runs until `stop` is aborted. */
export async function lookAround(around: LookingAround, stop: AbortSignal): Promise<void> {
  const { membership, mail, folder } = around;
  if (membership.seeds.human === undefined) return;
  const lock = await takeLock(join(folder, "looking-around"), stop, { makesParents: false });
  const { machine } = membership;
  const link = openLink({ ...accessOf(membership, "human"), name: `ovld on ${machine}` });
  const journal = passJournal({
    mail,
    user: "human",
    link,
    machine,
    path: join(folder, "passed-human.json"),
  });
  followOrders(link, {
    summoned: mail.army()?.summoned ?? "",
    path: join(folder, "order-known.json"),
    onEnd: around.onEnd,
  });
  const lookForSilence = followRoles(around, link);
  const catchUp = carryJournal(around, link);
  const repeat = setInterval(() => {
    noteLink(mail, link);
    lookForSilence();
    catchUp();
  }, LOOK_EVERY_MS).unref();
  link.onUp(() => noteLink(mail, link));
  await new Promise((resolve) => stop.addEventListener("abort", resolve));
  clearInterval(repeat);
  journal.close();
  lock.release();
  await link.close();
}

function noteLink(mail: Mail, link: Link): void {
  const down = link.down();
  const before = tryTo(() => mail.connection());
  const isUp = link.up() !== undefined;
  if (before?.isUp === isUp && before.why === down?.why) return;
  const since = new Date(isUp ? Date.now() : (down?.since ?? Date.now())).toISOString();
  const { why, isRefused = false } = down ?? {};
  tryTo(() => mail.recordConnection({ isUp, since, why, ...(isRefused && { isRefused }) }));
}

/**
 * Writes down what the board says about roles on other machines, now and whenever it changes. The board says nothing
 * when a role has fallen silent: the function that is returned looks for such roles.
 */
function followRoles({ membership, mail }: LookingAround, link: Link): () => void {
  const away = ROLES.filter((role) => !rolesHere(membership).includes(role));
  /** By this process's own clock. */
  const heardAt = new Map<Role, number>();
  const write = (role: Role, news: RoleNews | undefined): void => {
    const before = mail.away(role);
    heardAt.set(role, performance.now());
    if (news !== undefined) tryTo(() => mail.noteAway(role, { ...news, heard: new Date().toISOString() }));
    else if (before !== undefined) tryTo(() => mail.noteAway(role, { ...before, isSilent: true }));
  };
  const listen = async (): Promise<void> => {
    link.up()?.subscribe(`${BOARD_PRESENCE}.*`, {
      callback: (_error, message) => {
        const role = message.subject.split(".").at(-1) ?? "";
        if (isRole(role) && away.includes(role)) write(role, parseNews(message.string()));
      },
    });
    await read(away);
  };
  const read = async (roles: Role[]): Promise<void> => {
    for (const role of roles) {
      const news = await readPresence(link, role, "human");
      if (link.up() !== undefined) write(role, news);
    }
  };
  link.onUp(() => void listen());
  void listen();
  return oneAtATime(async () => {
    const now = performance.now();
    await read(away.filter((role) => now - (heardAt.get(role) ?? now) > HEARD_FOR_SECONDS * 1_000));
  });
}

/** Adds what happened on other machines to this machine's journal; returns a function that looks for more. */
function carryJournal({ membership, mail, folder }: LookingAround, link: Link): () => void {
  const path = join(folder, "journal-carried");
  const here = rolesHere(membership);
  const keep = (number: number): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeRecord(path, number, { lasting: false });
  };

  async function carry(): Promise<void> {
    let last = readRecord(path, z.int());
    if (last === undefined) keep((last = await lastHubLine(link)));
    const before = last;
    try {
      for await (const { sequence, entry } of readHubJournal(link, last)) {
        last = sequence;
        if (entry?.machine === undefined || entry.machine === membership.machine) continue;
        // A message to a role of this machine has its line since it arrived here.
        if (entry.event === "stored" && here.includes(entry.to)) continue;
        const { at: _there, ...event } = entry;
        mail.note(event);
      }
    } finally {
      // Also if the hub fell silent in between: what has been added is not added again.
      if (last !== before) keep(last);
    }
  }

  const look = oneAtATime(async () => {
    if (link.up() !== undefined) await carry();
  });
  link.onUp(() => {
    link.up()?.subscribe(JOURNAL_NEWS, { callback: look });
    look();
  });
  return look;
}

/** The army may just be ending, or the disk be full: what is heard is heard again. */
function tryTo<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

export interface Following {
  /** When the army was summoned. */
  summoned: string;
  /** Remembers the last order from before that, for the next relay that looks. */
  path: string;
  onEnd: () => void;
}

const orderFile = z.object({ summoned: z.string(), revision: z.int() });

/** Calls back once if an order comes after the army was summoned; those from before were meant for an earlier one. */
export function followOrders(link: Link, { summoned, path, onEnd }: Following): void {
  const before = readRecord(path, orderFile);
  let known = before?.summoned === summoned ? before.revision : undefined;
  let isDone = false;
  const look = async (): Promise<void> => {
    const { revision } = (await readBoard(link, "order", "human")) ?? {};
    if (revision === undefined || isDone) return;
    if (known === undefined) {
      known = revision;
      writeRecord(path, { summoned, revision }, { lasting: false });
    } else if (revision > known) {
      isDone = true;
      onEnd();
    }
  };
  // The army may just be ending, or the disk be full.
  const tryToLook = (): void => void look().catch(() => {});
  link.onUp(() => {
    link.up()?.subscribe(BOARD_ORDER, { callback: tryToLook });
    tryToLook();
  });
}
