/**
 * One role's part in an army on several machines, as its relay plays it: the role's mail comes from the hub into the
 * inbox on this machine, mail to roles elsewhere goes to the hub or waits in the outbox, and the others learn how the
 * role is. It is a bundle of its own, loaded only where an army is on a hub.
 */
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { MailLimits } from "../../army/words.ts";
import type { Role } from "../../army/roles.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import type { RoleNews } from "../../mail/records/away.ts";
import type { JournalEvent, Origin } from "../../mail/journal/journal-entry.ts";
import type { Mail } from "../../mail/mail.ts";
import type { WayOut } from "../../mail/post.ts";
import { keepFetching } from "./fetch-mail.ts";
import { followMembership, readMembershipFile } from "./membership-file.ts";
import { lookAround } from "./look-around.ts";
import { HUB_FORMAT, type Membership } from "./membership.ts";
import { openHubCarrier } from "./open-hub-carrier.ts";
import { passJournal } from "./pass-journal.ts";
import { deliverOut } from "./open-way-out.ts";
import { keepPresent } from "./presence.ts";
import { openTakenIds } from "./taken-ids.ts";

interface TakingPart {
  role: Role;
  /** The file with this machine's keys. */
  path: string;
  mail: Mail;
  /** The army's folder for what concerns the hub. */
  folder: string;
  limits: MailLimits;
  /** What this process is, for the journal. */
  origin: Origin;
  /** The person wants the army to end on all machines. */
  onEnd: () => void;
  /** Called once for each problem that the person should know. */
  complain: (report: ErrorReport) => void;
}

export interface Part extends WayOut {
  close(): void;
}

const LOOK_EVERY_MS = 1_000;

/** If this machine has no key for the role, nothing goes to other machines, and the sender hears why. */
export function takePart(part: TakingPart): Part {
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

function begin(part: TakingPart, membership: Membership): Part {
  const { role, mail, folder, limits, origin } = part;
  const { machine } = membership;
  const instance = membership.instance ?? hostname();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const note = (event: JournalEvent): void =>
    mail.note(event.event === "stored" ? { ...event, by: origin } : event);
  const carrier = openHubCarrier({ membership, user: role, folder, limits, note });
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
