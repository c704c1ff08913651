/**
 * What one relay of a machine does for all of them, with the person's key: it writes down what is heard of roles on
 * other machines, adds what happened there to this machine's journal, and hears the person's orders.
 *
 * Only the relay that holds the lock does it. If it ends, the next one goes on.
 */
import { join } from "node:path";
import * as z from "zod/mini";
import { hostOf, ROLES, type Role } from "../../army/roles.ts";
import type { Mail } from "../../mail/mail.ts";
import type { RoleNews } from "../../mail/records/away.ts";
import { oneAtATime } from "../../system/async.ts";
import { takeLock } from "../../system/lock-file.ts";
import { readRecord, writeRecord } from "../../system/record.ts";
import { accessOf, rolesHere, type Membership } from "../membership.ts";
import { readBoard } from "./board.ts";
import { carryJournal, passJournal } from "./journal.ts";
import { LOOK_EVERY_MS, openLink, type Link } from "./link.ts";
import { HEARD_FOR_SECONDS, parseNews, readPresence } from "./presence.ts";
import { BOARD_ORDER, BOARD_PRESENCE } from "./subjects.ts";
import { tryTo } from "../../system/file-error.ts";

export interface LookingAround {
  membership: Membership;
  mail: Mail;
  folder: string;
  onEnd: () => void;
}

/** Runs until `stop` is aborted. */
export async function lookAround(around: LookingAround, stop: AbortSignal): Promise<void> {
  const { membership, mail, folder, onEnd } = around;
  const { machine, seeds } = membership;
  if (seeds.human === undefined) return;
  const here = rolesHere(membership);
  const lock = await takeLock(join(folder, "looking-around"), stop, { makesParents: false });
  const link = openLink({ ...accessOf(membership, "human"), name: `ovld on ${machine}` });
  const passed = join(folder, "passed-human.json");
  const journal = passJournal({ mail, user: "human", link, machine, path: passed });
  const path = join(folder, "order-known.json");
  followOrders(link, { summoned: mail.army()?.summoned ?? "", path, onEnd });
  const away = ROLES.filter((role) => !here.includes(role));
  const lookForSilence = followRoles(mail, link, away);
  const catchUp = carryJournal({
    mail,
    link,
    path: join(folder, "journal-carried"),
    // A message to a role of this machine has its line since it arrived here.
    isWanted: (entry) =>
      entry.machine !== undefined &&
      entry.machine !== machine &&
      !(entry.event === "stored" && here.includes(hostOf(entry.to))),
  });
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
  tryTo(() => {
    const down = link.down();
    const before = mail.connection();
    const isUp = link.up() !== undefined;
    if (before?.isUp === isUp && before.why === down?.why) return;
    const since = new Date(isUp ? Date.now() : (down?.since ?? Date.now())).toISOString();
    const { why, isRefused = false } = down ?? {};
    mail.recordConnection({ isUp, since, why, ...(isRefused && { isRefused }) });
  });
}

/**
 * Writes down what the board says about roles on other machines, now and whenever it changes. The board says nothing
 * when a role has fallen silent: the function that is returned looks for such roles.
 */
function followRoles(mail: Mail, link: Link, away: Role[]): () => void {
  /** By this process's own clock. */
  const heardAt = new Map<Role, number>();
  const write = (role: Role, news: RoleNews | undefined): void => {
    heardAt.set(role, performance.now());
    tryTo(() => {
      const before = mail.away(role);
      if (news !== undefined) mail.noteAway(role, { ...news, heard: new Date().toISOString() });
      else if (before !== undefined) mail.noteAway(role, { ...before, isSilent: true });
    });
  };
  const look = oneAtATime(async () => {
    const now = performance.now();
    for (const role of away) {
      if (now - (heardAt.get(role) ?? -Infinity) < HEARD_FOR_SECONDS * 1_000) continue;
      const news = await readPresence(link, role, "human");
      if (link.up() !== undefined) write(role, news);
    }
  });
  link.listen(BOARD_PRESENCE, (message) => {
    const role = away.find((each) => message?.subject.endsWith(`.${each}`));
    if (message !== undefined && role !== undefined) write(role, parseNews(message.string()));
    if (message !== undefined) return;
    heardAt.clear();
    look();
  });
  return look;
}

export interface Following {
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
  const look = oneAtATime(async () => {
    const { revision } = (await readBoard(link, "order", "human")) ?? {};
    if (revision === undefined || isDone) return;
    if (known === undefined) {
      known = revision;
      writeRecord(path, { summoned, revision }, { lasting: false });
    } else if (revision > known) {
      isDone = true;
      onEnd();
    }
  });
  link.listen(BOARD_ORDER, look);
}
