/**
 * One role's part in an army on several machines, as its relay plays it: the role's mail comes from the hub into the
 * inbox on this machine, mail to roles elsewhere goes to the hub or waits in the outbox, and the others learn how the
 * role is. It is a bundle of its own, loaded only where an army is on a hub.
 */
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Role } from "../../army/roles.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import type { RoleNews } from "../../mail/records/away.ts";
import type { JournalEvent } from "../../mail/journal/journal-entry.ts";
import type { Mail } from "../../mail/mail.ts";
import type { Delivery, RolePart, Sending, TakingPart, WayOut } from "../../mail/other-machines.ts";
import { type Carrier, openCarrier } from "./carrier.ts";
import { keepFetching, openTakenIds } from "./fetch-mail.ts";
import {
  followMembership,
  readMembershipFile,
  HUB_FORMAT,
  type Membership,
  rolesHere,
} from "../membership.ts";
import { lookAround } from "./look-around.ts";
import { passJournal } from "./journal.ts";
import { keepPresent, requireKnownFormat } from "./presence.ts";
import type { MessageDraft } from "../../mail/store/message.ts";

const LOOK_EVERY_MS = 1_000;

/** If this machine has no key for the role, nothing goes to other machines, and the sender hears why. */
export function takePart(part: TakingPart): RolePart {
  const { mail, role } = part;
  try {
    const membership = requireMembership(part.path);
    return begin(part, membership);
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    const { report } = error;
    part.complain(report);
    const here = mail.army()?.roles ?? [role];
    return { isHere: (each) => here.includes(each), deliver: async () => ({ refused: report }), close() {} };
  }
}

function requireMembership(path: string): Membership {
  const membership = readMembershipFile(path);
  if (membership === undefined)
    throw new OvldError({ code: "hub-join-file", facts: { path, problem: "missing" } });
  return membership;
}

function begin(part: TakingPart, membership: Membership): RolePart {
  const { role, mail, folder, limits, origin } = part;
  const { machine } = membership;
  const instance = membership.instance ?? hostname();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const note = (event: JournalEvent): void =>
    mail.note(event.event === "stored" ? { ...event, by: origin } : event);
  const carrier = openCarrier({ membership, user: role, folder, limits, note });
  const { link } = carrier;
  const presence = keepPresent({
    role,
    link,
    instance,
    describe: () => describeRole(mail, role, { machine, instance }),
    onOurs: () => fetching.look(),
  });
  const fetching = keepFetching({
    role,
    carrier,
    mail,
    taken: openTakenIds(join(folder, `taken-${role}`)),
    mayFetch: () => presence.isOurs(),
  });
  const journal = passJournal({
    mail,
    user: role,
    link,
    machine,
    path: join(folder, `passed-${role}.json`),
  });
  const whereabouts = followMembership(part.path, membership);
  const stop = new AbortController();
  void lookAround({ ...part, membership }, stop.signal).catch(() => {});
  let isTold = false;
  const repeat = setInterval(() => {
    presence.look();
    const refusal = presence.refusal();
    if (refusal !== undefined && !isTold) part.complain(refusal.report);
    isTold = refusal !== undefined;
  }, LOOK_EVERY_MS).unref();
  const reports = mail.watchReports(() => presence.look(), { rescanMs: LOOK_EVERY_MS });

  return {
    isHere: (each) => whereabouts.rolesHere().includes(each),
    async deliver(draft) {
      const refusal = presence.refusal();
      return refusal === undefined ? deliverOut(mail, carrier, draft) : { refused: refusal.report };
    },
    close() {
      stop.abort();
      clearInterval(repeat);
      reports.close();
      presence.close();
      fetching.close();
      journal.close();
      void carrier.close();
    },
  };
}

function describeRole(
  mail: Mail,
  role: Role,
  { machine, instance }: { machine: string; instance: string },
): RoleNews {
  const { status, task, updated } = mail.peekStatus(role);
  const agent = mail.agentReport(role);
  return {
    format: HUB_FORMAT,
    machine,
    host: hostname(),
    instance,
    status,
    task,
    updated,
    unread: mail.countUnread(role),
    ...(agent && { agent }),
  };
}

/** A command's way to roles on other machines: one user's mail goes to the hub, or waits in the outbox. */
export function openWayOut(
  membership: Membership,
  { user, mail, folder, limits, origin }: Sending,
): WayOut & { close(): Promise<void> } {
  const here = rolesHere(membership);
  let carrier: Carrier | undefined;
  const open = (): Carrier => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openCarrier({
      membership,
      user,
      folder,
      limits,
      note: (event) => mail.note(event.event === "stored" ? { ...event, by: origin } : event),
    });
  };
  return {
    isHere: (role) => here.includes(role),
    deliver: (draft) => deliverOut(mail, (carrier ??= open()), draft),
    close: async () => carrier?.close(),
  };
}

/** Errors become reports: the caller is in another bundle, where this one's error class is not known. */
async function deliverOut(
  mail: Pick<Mail, "away">,
  carrier: Pick<Carrier, "deliver">,
  draft: MessageDraft,
): Promise<Delivery | { refused: ErrorReport }> {
  try {
    const there = mail.away(draft.to);
    if (there !== undefined) requireKnownFormat(there);
    return await carrier.deliver(draft);
  } catch (error) {
    if (error instanceof OvldError) return { refused: error.report };
    throw error;
  }
}
