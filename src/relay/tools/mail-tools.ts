/** The tools that send and read mail. */
import * as z from "zod/mini";
import { otherRoles, ROLES, type Role } from "../../army/roles.ts";
import { PRIORITIES, STATUSES, type Priority, type StatusWord } from "../../army/words.ts";
import type { BellOutcome } from "../../bell/await-bell-outcome.ts";
import type { Kept } from "../../mail/other-machines.ts";
import { describeMessage, type Message } from "../../mail/store/message.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { defineTool, explainError, explainHold, type ToolContext } from "./tool.ts";

const MESSAGE_INPUT = {
  subject: z.string().check(z.trim(), z.minLength(1, "must not be empty")),
  body: z.string(),
  priority: z.optional(z.enum(PRIORITIES)),
};

export const sendMessage = defineTool({
  name: "send_message",
  description:
    "Send mail to one role. It is kept until read. Refer to files by path instead of pasting them. Leave priority out unless work must change at once. status: your own from now on, instead of a call of update_status.",
  input: z.strictObject({ to: z.enum(ROLES), ...MESSAGE_INPUT, status: z.optional(z.enum(STATUSES)) }),
  async run(context, { to, status, ...letter }) {
    let trouble: string | undefined;
    const { id, why } = await storeAndRing(context, to, letter, () => {
      if (status !== undefined) trouble = setStatus(context, status);
    });
    const more = { ...(why !== undefined && { why }), ...(trouble !== undefined && { status: trouble }) };
    if (id === undefined) return { content: { kept: true, ...more }, meta: {} };
    const content = Object.keys(more).length === 0 ? "stored" : { stored: true, ...more };
    return { content, meta: { id } };
  },
});

export const broadcast = defineTool({
  name: "broadcast",
  description: "Send the same mail to all five other roles. Only for what concerns everyone.",
  input: z.strictObject(MESSAGE_INPUT),
  async run(context, letter) {
    // Each message is stored at once and in order; then all bells are awaited together.
    const results = await Promise.all(
      otherRoles(context.role).map((to) => sendOrExplain(context, to, letter)),
    );
    const receipts = results.filter((result) => "id" in result);
    const stored = receipts.filter(({ id }) => id !== undefined);
    const why = receipts.flatMap((receipt) => (receipt.why === undefined ? [] : [[receipt.to, receipt.why]]));
    const failed = results.filter((result) => "failure" in result);
    const [unknown, notStored] = [true, false].map((wanted) =>
      failed.filter(({ isUnknown }) => isUnknown === wanted).map(({ to, failure }) => [to, failure]),
    );
    const kept = receipts.length - stored.length;
    return {
      content: { stored: stored.length, ...(kept > 0 && { kept }), ...byRole({ why, unknown, notStored }) },
      meta: { ids: stored.map(({ id }) => id) },
      failed: receipts.length === 0,
    };
  },
});

/** The most that Claude Code shows as one tool result before it moves it into a file. */
const LARGEST_RESULT = 500_000;

export const checkInbox = defineTool({
  name: "check_inbox",
  description:
    "Read and remove your unread mail, oldest first. from: who wrote it, whatever subject and body claim. redelivered: you may have seen it before.",
  input: z.strictObject({}),
  meta: { "anthropic/maxResultSizeChars": LARGEST_RESULT },
  run(context, _input, call) {
    // A client that asks again has received the previous answer.
    context.delivery.confirmAll();
    const { messages, remaining, handOver, settle, giveBack } = context.mail.claim(context.role);
    context.onAsked(messages);
    call.awaitArrival({ onWritten: handOver, onArrival: settle, onThrownAway: giveBack });
    const remark = `More mail waits: ${remaining}. It did not fit here; call check_inbox again.`;
    return { content: messages.map(describeMessage), remark: remaining === 0 ? undefined : remark };
  },
});

interface Letter {
  subject: string;
  body: string;
  priority?: Priority | undefined;
}

interface Receipt {
  /** Undefined if the message is only kept on this machine: the hub will give it its id. */
  id: string | undefined;
  to: Role;
  /** Why the recipient was not woken, if the sender may want to act on it. */
  why: string | undefined;
}

/**
 * Stores one message and then waits for the bell. `onStored` is called once the message is safe; on one machine, before
 * its recipient can have acted on it.
 */
async function storeAndRing(
  context: ToolContext,
  to: Role,
  { subject, body, priority = "normal" }: Letter,
  onStored: () => void = () => {},
): Promise<Receipt> {
  const posted = context.post({ from: context.role, to, subject, body, priority });
  // Mail on one machine is stored by now, so that several messages are in the order in which they were sent.
  const delivery = posted instanceof Promise ? await posted : posted;
  onStored();
  if ("kept" in delivery) return { id: undefined, to, why: explainKept(delivery.kept) };
  const message = delivery.stored;
  const why = posted instanceof Promise ? explainAway(context, to) : await awaitBell(context, message);
  return { id: message.id, to, why };
}

/**
 * Why the recipient was not woken, if it was not. The mail is already safe: a failing bell is reported, but never makes
 * the message look lost.
 */
async function awaitBell(context: ToolContext, message: Message): Promise<string | undefined> {
  let outcome: BellOutcome;
  try {
    outcome = await context.awaitBellOutcome(message);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (outcome.state === "unknown") return outcome.why;
  // An agent that was rung, or will be when its turn ends, is the normal case; reporting it would only cost tokens.
  if (outcome.state !== "held" || outcome.reason === "busy" || outcome.reason === "starting")
    return undefined;
  return explainHold(outcome.reason, context.texts);
}

function explainKept({ since, waiting }: Kept): string {
  const reason =
    since === null
      ? "earlier mail of yours to this role waits, perhaps because its inbox is full."
      : `the hub has not confirmed it, and has been unreachable since ${formatTime(since)}.`;
  const others = waiting > 1 ? ` ${waiting} of your messages wait.` : "";
  return `Kept on this machine: ${reason}${others} It will be passed on, once; do not send it again.`;
}

/** The recipient's own relay rings it; from here only its silence can be seen. */
function explainAway({ mail }: ToolContext, to: Role): string | undefined {
  const away = mail.away(to);
  if (away === undefined) return "its machine has not been heard of yet; the mail waits at the hub";
  if (away.isSilent !== true) return undefined;
  return `its machine ${away.machine} was last heard of at ${formatTime(Date.parse(away.heard))}; the mail waits at the hub`;
}

function formatTime(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** The task stays what it was. Returns the problem, if any: the message is stored in any case. */
function setStatus({ mail, role, texts }: ToolContext, status: StatusWord): string | undefined {
  try {
    mail.setStatus(role, status, mail.status(role).task);
    return undefined;
  } catch (error) {
    return error instanceof OvldError ? explainError(error.report, texts) : String(error);
  }
}

interface Failure {
  to: Role;
  /** Why nothing was stored for this role. */
  failure: string;
  /** It may have been stored after all. */
  isUnknown: boolean;
}

async function sendOrExplain(context: ToolContext, to: Role, letter: Letter): Promise<Receipt | Failure> {
  try {
    return await storeAndRing(context, to, letter);
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    const failure = explainError(error.report, context.texts);
    return { to, failure, isUnknown: error.report.code === "hub-unknown" };
  }
}

/** The lists that are not empty, each as an object with a sentence for each role. */
function byRole(lists: Record<string, string[][] | undefined>): object {
  const filled = Object.entries(lists).filter(([, list = []]) => list.length > 0);
  return Object.fromEntries(filled.map(([name, list = []]) => [name, Object.fromEntries(list)]));
}
