/**
 * One role's part in an army on several machines, as its relay plays it: the role's mail comes from the hub into the
 * inbox on this machine, mail to roles elsewhere goes to the hub or waits in the outbox, and the others learn how the
 * role is. It is a bundle of its own, loaded only where an army is on a hub.
 */
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { hostOf, type Role } from "../../army/roles.ts";
import type { JournalEvent } from "../../mail/journal/journal-entry.ts";
import type { Mail } from "../../mail/mail.ts";
import type { RolePart, Sending, TakingPart, WayOut } from "../../mail/other-machines.ts";
import type { RoleNews } from "../../mail/records/away.ts";
import { OvldError } from "../../system/ovld-error.ts";
import {
  followMembership,
  HUB_FORMAT,
  readMembershipFile,
  rolesHere,
  type Membership,
} from "../membership.ts";
import { createClaiming, keepFetching } from "./fetch-mail.ts";
import { passJournal } from "./journal.ts";
import { LOOK_EVERY_MS } from "./link.ts";
import { lookAround } from "./look-around.ts";
import { findNewerFormat, keepPresent } from "./presence.ts";
import { answerQuestions, followBoard } from "./questions.ts";
import { openSender, type MailSender } from "./send-mail.ts";

/** If this machine has no key for the role, nothing goes to other machines, and the sender hears why. */
export function takePart(part: TakingPart): RolePart {
  const { mail, role, path } = part;
  try {
    const membership = readMembershipFile(path);
    if (membership !== undefined) return begin(part, membership);
    throw new OvldError({ code: "hub-join-file", facts: { path, problem: "missing" } });
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    const { report } = error;
    part.complain(report);
    const here = mail.army()?.roles ?? [role];
    return { isHere: (each) => here.includes(each), deliver: async () => ({ refused: report }), close() {} };
  }
}

function begin(part: TakingPart, membership: Membership): RolePart {
  const { role, mail, folder } = part;
  const { machine, instance = hostname() } = membership;
  const sender = openMachineSender(membership, { ...part, user: role });
  const { link } = sender;
  const presence = keepPresent({
    role,
    link,
    instance,
    describe: () => describeRole(mail, role, { machine, instance }),
    onOurs: () => fetching.look(),
    onRefused: part.complain,
  });
  const fetching = keepFetching({
    role,
    link,
    mail,
    folder,
    claim: createClaiming({ role, link, folder, note: (event) => mail.note(event) }),
    mayFetch: () => presence.isOurs(),
  });
  const journal = passJournal({ mail, user: role, link, machine, path: join(folder, `passed-${role}.json`) });
  const rolesHereNow = followMembership(part.path, membership);
  const { tasks } = part;
  const talk = tasks && ("answer" in tasks ? answerQuestions(link, tasks) : followBoard(link, role, tasks));
  const stop = new AbortController();
  void lookAround({ ...part, membership }, stop.signal).catch(() => {});
  const reports = mail.watchReports(() => presence.look(), { rescanMs: LOOK_EVERY_MS });

  return {
    isHere: (each) => rolesHereNow().includes(each),
    async deliver(draft) {
      const refused = presence.refusal();
      return refused === undefined ? deliverOut(mail, sender, draft) : { refused };
    },
    close() {
      stop.abort();
      talk?.close();
      reports.close();
      presence.close();
      fetching.close();
      journal.close();
      void sender.close();
    },
  };
}

function describeRole(mail: Mail, role: Role, where: { machine: string; instance: string }): RoleNews {
  const { status, task, waitsFor, asked, updated } = mail.peekStatus(role);
  const agent = mail.agentReport(role);
  return {
    format: HUB_FORMAT,
    ...where,
    host: hostname(),
    status,
    task,
    ...(waitsFor && { waitsFor, asked }),
    updated,
    unread: mail.countUnread(role),
    ...(agent && { agent }),
  };
}

/** A command's way to roles on other machines: one user's mail goes to the hub, or waits in the outbox. */
export function openWayOut(membership: Membership, sending: Sending): WayOut & { close(): Promise<void> } {
  const here = rolesHere(membership);
  let sender: MailSender | undefined;
  return {
    isHere: (role) => here.includes(role),
    deliver: (draft) => deliverOut(sending.mail, (sender ??= openMachineSender(membership, sending)), draft),
    close: async () => sender?.close(),
  };
}

function openMachineSender(
  membership: Membership,
  { user, mail, folder, limits, origin }: Sending,
): MailSender {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const note = (event: JournalEvent): void =>
    mail.note(event.event === "stored" ? { ...event, by: origin } : event);
  return openSender({ membership, user, folder, limits, note });
}

/** Errors become reports: the caller is in another bundle, where this one's error class is not known. */
async function deliverOut(
  mail: Pick<Mail, "away">,
  sender: MailSender,
  draft: Parameters<WayOut["deliver"]>[0],
): ReturnType<WayOut["deliver"]> {
  try {
    const refused = findNewerFormat(mail.away(hostOf(draft.to)));
    return refused === undefined ? await sender.deliver(draft) : { refused };
  } catch (error) {
    if (error instanceof OvldError) return { refused: error.report };
    throw error;
  }
}
