/** `ovld send`: sends a role a message from the person, and says whether the agent was woken. */
import type { Role } from "../../../army/roles.ts";
import { readSettings } from "../../../config/settings.ts";
import {
  lookOf,
  sayAnswer,
  sayLine,
  signalCode,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { mailOfArmy, requirePerson } from "../../../person/find-runner.ts";
import { formatLetter } from "../../../person/format-letter.ts";
import { markRead } from "../../../person/letters.ts";
import type { StoredEntry } from "../../../mail/journal/read-journal.ts";
import { formatStored, formatWoken, readBody, sendAsPerson } from "../../../person/send-as-person.ts";
import type { ArmyMail } from "../../../summon/army.ts";
import { hasLivingRelay } from "../../../summon/processes.ts";
import { pause } from "../../../system/async.ts";
import { jsonLine } from "../../../system/json.ts";
import { OvldError } from "../../../system/ovld-error.ts";

export interface SendFlags {
  army?: string;
  subject?: string;
  urgent: boolean;
  wait: boolean;
  json: boolean;
}

export async function send(
  context: CommandContext,
  { army: name, subject, urgent, wait, json }: SendFlags,
  to: Role,
  given = "-",
): Promise<number> {
  // The answer is the person's mail.
  if (wait) requirePerson(context.env, "ovld send --wait");
  const { limits } = readSettings(context.env);
  const army = mailOfArmy(context, name);
  const text = given === "-" ? await readBody(context, limits.bodyBytes) : given;
  const journal = army.mail.journal(context.now());
  // What was written before is no answer.
  if (wait) for (const _ of journal.next());
  const sent = await sendAsPerson(context, army, { to: [to], subject, text, urgent }, (stored) => {
    if (!json) sayLine(context, formatStored(context, stored));
  });
  for (const each of sent) {
    const { id, subject: sentAs, outcome } = each;
    const { state: bell, ...more } = outcome;
    const answer = { session: army.session, id, to, subject: sentAs, stored: id !== null, bell, ...more };
    sayAnswer(context, answer, formatWoken(context, each));
  }
  return wait ? awaitAnswer(context, army, to, sent[0]?.id, journal) : EXIT.done;
}

const LOOK_EVERY_MS = 250;

/**
 * Shows the next mail to the person from a role that has read theirs, or what ovld says about the message (that the role
 * has stalled, fails or asks in its pane), and marks it as read; an interrupted wait leaves it where it is.
 */
async function awaitAnswer(
  context: CommandContext,
  army: ArmyMail,
  role: Role,
  id: string | null | undefined,
  journal: ReturnType<ArmyMail["mail"]["journal"]>,
): Promise<number> {
  const { session, mail } = army;
  const isAnswer = ({ from, to, body }: StoredEntry): boolean => {
    if (to !== "human") return false;
    if (from === "ovld") return typeof id === "string" && body.includes(id);
    return from === role && mail.unread(role, { handedOut: false }).every((each) => each !== id);
  };
  for (;;) {
    const isHere = mail.army()?.roles?.includes(role) ?? true;
    const isGone = isHere && (mail.agentReport(role)?.state === "gone" || !hasLivingRelay(army, role));
    // What it has written before it went comes first.
    for (const entry of journal.next()) {
      if (entry.event !== "stored" || !isAnswer(entry)) continue;
      const { event: _event, by: _by, at: _at, ...letter } = entry;
      const text = context.json
        ? jsonLine({ session, answer: letter })
        : formatLetter(letter, lookOf(context));
      if (context.print("stdout", text)) markRead(mail, [letter.id]);
      return entry.from === role ? EXIT.done : EXIT.failed;
    }
    if (!mail.exists()) throw new OvldError({ code: "army-over", facts: { session } });
    if (isGone) throw new OvldError({ code: "no-answer-comes", facts: { role } });
    await pause(LOOK_EVERY_MS, context.stop);
    if (context.stop.aborted) return signalCode(context.stop);
  }
}
