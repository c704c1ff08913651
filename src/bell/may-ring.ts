/** Whether this relay may ring at all: not while an elder relay of its role lives, nor while a usage limit holds. */
import { ROLES, type Role } from "../army/roles.ts";
import type { AgentReport } from "../mail/records/agent-report.ts";
import { isProcessAlive, type ProcessIdentity } from "../system/process.ts";
import type { Presence } from "../mail/records/presence.ts";

/** The agents share one account, so they resume one after another rather than hitting the limit together again. */
const BETWEEN_ROLES_AFTER_LIMIT_MS = 5_000;

/**
 * Whether a usage limit that one agent hit still keeps this role from being rung.
 *
 * Once an agent has ended a turn well, an earlier limit no longer counts: the person may have changed the plan or the
 * account.
 */
export function isLimited(
  role: Role,
  reportOf: (role: Role) => AgentReport | undefined,
  now: number,
): boolean {
  const reports = ROLES.flatMap((each) => reportOf(each) ?? []);
  const isLifted = ({ since }: AgentReport): boolean =>
    reports.some((other) => other.state === "idle" && other.evidence === "hook" && other.since > since);
  return reports.some((report) => {
    const until = report.state === "failed" ? report.failure?.until : undefined;
    if (until === undefined || isLifted(report)) return false;
    return now < Date.parse(until) + ROLES.indexOf(role) * BETWEEN_ROLES_AFTER_LIMIT_MS;
  });
}

/** If a role has several live relays, only the eldest rings and reports. */
export function isEldestRelay(
  presences: readonly Presence[],
  role: Role,
  relay: ProcessIdentity,
  isAlive: (identity: ProcessIdentity) => boolean = isProcessAlive,
): boolean {
  const own = presences.find((each) => each.relay === relay);
  const elders = presences.filter(
    (each) => each.role === role && each.relay !== relay && (!own || age(each) < age(own)),
  );
  return !elders.some((each) => isAlive(each.relay));
}

function age({ since = "", relay }: Presence): string {
  return `${since} ${relay}`;
}
