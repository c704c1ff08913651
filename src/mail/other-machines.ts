/**
 * What the rest of ovld knows of an army on several machines. `src/machines` provides it, in a file of its own that only
 * such an army loads. Errors come as reports, because that file has an error class of its own.
 */
import { hostOf, type Role, type Sender } from "../army/roles.ts";
import type { MailLimits } from "../army/words.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import type { Origin } from "./journal/journal-entry.ts";
import type { Mail } from "./mail.ts";
import type { Message, MessageDraft } from "./store/message.ts";

export interface Machines {
  takePart(taking: TakingPart): RolePart;
  /** What this machine has joined, by the file with its keys; undefined if there is none. */
  readPart(path: string): MachinePart | { unfit: ErrorReport } | undefined;
}

/** The way to other machines. */
export interface WayOut {
  isHere(role: Role): boolean;
  deliver(draft: MessageDraft): Promise<Delivery | { refused: ErrorReport }>;
}

/** Either the message is where its reader finds it, or it is kept on this machine and will be passed on, once. */
export type Delivery = { stored: Message } | { kept: Kept };

export interface Kept {
  /** Since when the hub cannot be reached, in milliseconds since 1970; null if only earlier mail waits. */
  since: number | null;
  why: string;
  /** How many messages of this sender wait on this machine, this one included. */
  waiting: number;
}

/** One role's part in the army, as its relay plays it. */
export interface RolePart extends WayOut {
  close(): void;
}

export interface TakingPart {
  role: Role;
  /** The file with this machine's keys. */
  path: string;
  mail: Mail;
  /** The army's folder for what concerns other machines. */
  folder: string;
  limits: MailLimits;
  /** What this process is, for the journal. */
  origin: Origin;
  /** The person wants the army to end on all machines. */
  onEnd: () => void;
  /** Called once for each problem that the person should know. */
  complain: (report: ErrorReport) => void;
  /** Undefined for an army without trees. */
  tasks: TaskBoard | TaskCopy | undefined;
}

/** Asks, in a role's name, the machine with the board of tasks; undefined if there is no answer. Both are texts of `src/work`. */
export type AskBoard = (question: string) => Promise<string | undefined>;

/** The tasks, on the machine of the strategist. */
export interface TaskBoard {
  answer(role: Role, question: string): Promise<string>;
  watch(onChange: () => void): { close(): void };
}

/** On any other machine: called when there may be news. */
export interface TaskCopy {
  follow(ask: AskBoard): Promise<void>;
}

/** One machine's part in the army. */
export interface MachinePart {
  /** The file with its keys. */
  path: string;
  machine: string;
  roles: Role[];
  /** For a command: mail of one user goes out, or waits on this machine. */
  openWayOut(sending: Sending): WayOut & { close(): Promise<void> };
  /** Asks once which role is where, and whether this machine may take part. */
  lookAtArmy(now: Date): Promise<ArmyOnMachines>;
  askBoard(role: Role, question: string): Promise<string | undefined>;
  /** Orders all machines to end their parts; undefined if they will hear it. */
  endEverywhere(): Promise<ErrorReport | undefined>;
}

export interface Sending extends Pick<TakingPart, "mail" | "folder" | "limits"> {
  user: Exclude<Sender, "ovld">;
  origin: Origin | undefined;
}

export interface ArmyOnMachines {
  /** Why nobody can be asked; undefined if there was an answer. */
  unreachable?: ErrorReport;
  /** What prevents this machine from taking part. */
  problem?: ErrorReport;
  /** The roles that were heard of lately, on whichever machine. */
  roles: { role: Role; machine: string }[];
}

export type Post = (draft: MessageDraft) => Delivery | Promise<Delivery>;

/**
 * Delivers a message where its recipient is: into an inbox of this machine, or to another machine. This is the
 * only place that decides between the two. On one machine it is the same as delivering.
 */
export function openPost(mail: Pick<Mail, "deliver" | "answerOrders">, out: WayOut | undefined): Post {
  const post: Post = (draft) =>
    out === undefined || out.isHere(hostOf(draft.to))
      ? { stored: mail.deliver(draft) }
      : deliverFar(out, draft);
  return (draft) => {
    const posted = post(draft);
    mail.answerOrders(draft.from, draft.to);
    return posted;
  };
}

async function deliverFar(out: WayOut, draft: MessageDraft): Promise<Delivery> {
  const delivery = await out.deliver(draft);
  if ("refused" in delivery) throw new OvldError(delivery.refused);
  return delivery;
}
