/** The states into which an agent is brought before its bell is rung, and how one bell works in each. */
import { existsSync, rmSync } from "node:fs";
import type { Role } from "../../src/army/roles.ts";
import { letter } from "../../test/support/store.ts";
import type { Seats } from "../../test/support/seats.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { Tally } from "./bells.ts";

/** One agent under test. */
export interface Subject {
  seats: Seats;
  role: Role;
  /** When each turn about mail began, as its model or the agent itself saw it. */
  begunAt: () => number[];
  /** When its last turn before that ended, if it is known. */
  endedBefore?: (begun: number) => number | undefined;
  /** "please work" lasts until the returned function is called. */
  letWork: () => () => void;
}

/** Ends a state; returns since when nothing has been in the bell's way, as the person's last key. */
type Leave = () => Promise<number>;
/** Brings the agent into a state. */
type Enter = (subject: Subject) => Promise<Leave | undefined>;

const DRAFT = "half a thou";

export const STATE_NAMES = ["idle", "busy", "permission dialog", "question", "draft", "menu"] as const;

export type StateName = (typeof STATE_NAMES)[number];

const STATES: Record<StateName, Enter> = {
  idle: async () => undefined,
  busy: async (subject) => {
    const endWork = subject.letWork();
    await subject.seats.pane(subject.role).say("please work");
    await isNow(subject, "busy");
    return async () => {
      const since = Date.now();
      endWork();
      return since;
    };
  },
  "permission dialog": (subject) => openDialog(subject, "please run it"),
  question: (subject) => openDialog(subject, "please ask me"),
  draft: (subject) => write(subject, DRAFT),
  menu: (subject) => write(subject, "/"),
};

async function openDialog(subject: Subject, order: string): Promise<Leave> {
  const { seats, role } = subject;
  const pane = seats.pane(role);
  await pane.say(order);
  await isNow(subject, "asking");
  await waitUntil("the dialog is drawn", async () => (await pane.composer()) === undefined);
  return async () => {
    await pane.answer("escape");
    return pane.lastTypedAt();
  };
}

async function write({ seats, role }: Subject, text: string): Promise<Leave> {
  // Zellij sometimes loses a key; a person would see that and type it again.
  const stands = async (): Promise<boolean> => (await seats.pane(role).composer()) === text;
  for (let attempt = 1; attempt <= 5 && !(await stands()); attempt += 1) {
    await seats.pane(role).type(text);
    await waitUntil("the text is in the composer", stands, { timeout: 4_000 }).catch(() => {});
  }
  const isLeft = async (): Promise<boolean> =>
    text.startsWith((await seats.pane(role).composer()) || "nothing");
  return async () => {
    for (let attempt = 1; attempt <= 5 && (await isLeft()); attempt += 1) {
      await seats.pane(role).type("\u007f".repeat(text.length));
      await waitUntil("it is erased", async () => !(await isLeft()), { timeout: 2_000 }).catch(() => {});
    }
    return seats.pane(role).lastTypedAt();
  };
}

async function isNow({ seats, role }: Subject, state: string): Promise<void> {
  await waitUntil(`${role} is ${state}`, () => seats.report(role)?.state === state);
}

/** Removes what a failed bell may have left: a question, or a text. */
async function tidyUp(subject: Subject): Promise<void> {
  const { seats, role } = subject;
  if (seats.report(role)?.state === "asking") await seats.pane(role).answer("escape");
  await isNow(subject, "idle");
  if ((await composerOf(subject)) !== "") await seats.pane(role).type("\u007f".repeat(200));
}

/** An idle agent draws a composer, but Zellij does not always show it at once. */
async function composerOf({ seats, role }: Subject): Promise<string> {
  let composer: string | undefined;
  await waitUntil("the composer is drawn", async () => {
    composer = await seats.pane(role).composer();
    return composer !== undefined;
  });
  return composer ?? "";
}

/** Rings once and records the result; the time counts from when nothing prevents the ring any more. */
export async function ringOnce(subject: Subject, state: StateName, tally: Tally): Promise<void> {
  const { seats, role, begunAt } = subject;
  await tidyUp(subject);
  const leave = await STATES[state](subject);
  const composer = await seats.pane(role).composer();
  const before = begunAt().length;
  let since = Date.now();
  const { id } = seats.mail.deliver({ ...letter, to: role, from: "human" });
  const isRead = (): boolean => seats.mail.countUnread(role) === 0;
  if (leave) {
    await waitUntil("the bell is decided on", () => isRead() || seats.report(role)?.heard === id);
    if (existsSync(seats.ran)) tally.harm("the dialog's command ran");
    const isHeld = seats.report(role)?.bell.state === "held";
    if (isHeld) {
      const now = await seats.pane(role).composer();
      if (now !== composer) tally.harm(`the composer held ${composer} and holds ${now}`);
    }
    // A bell that was rung into the work is heard only when the work ends.
    if (isHeld || state === "busy") since = await leave();
  }
  await waitUntil("the mail is read", isRead, { timeout: 40_000 });
  await isNow(subject, "idle");
  const begun = begunAt()[before];
  if (begun === undefined) throw new Error("the mail was read, but no turn about it was seen");
  // Until its turn ends an agent takes its time.
  tally.begun(begun - Math.max(since, subject.endedBefore?.(begun) ?? since));
  for (let extra = before + 1; extra < begunAt().length; extra += 1) tally.empty();
  if (existsSync(seats.ran)) tally.harm("the dialog's command ran");
  rmSync(seats.ran, { force: true });
  // If the bell was rung without touching the draft, the draft is still there.
  const left = await composerOf(subject);
  if (left !== "" && left !== composer) tally.harm(`the composer holds ${left}`);
  if (left !== "") await leave?.();
}
