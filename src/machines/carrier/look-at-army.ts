/** What the hub knows about an army right now: which role is where. Asked once, by a command. */
import { ROLES, type Role } from "../../army/roles.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import type { RoleNews } from "../../mail/records/away.ts";
import { openLink } from "./link.ts";
import { accessOf, HUB_FORMAT, rolesHere, type Membership } from "./membership.ts";
import { findRival, readPresence } from "./presence.ts";

interface ArmyOnMachines {
  /** Why the hub cannot be asked; undefined if it answered. */
  unreachable: ErrorReport | undefined;
  /** What prevents this machine from taking part. */
  problems: ErrorReport[];
  /** The roles that were heard of lately, on whichever machine. */
  roles: { role: Role; machine: string }[];
}

export async function lookAtArmy(membership: Membership): Promise<ArmyOnMachines> {
  const { servers, machine, instance = "" } = membership;
  const here = rolesHere(membership);
  const link = openLink({ ...accessOf(membership, "human"), name: `ovld summon on ${machine}` });
  try {
    if ((await link.whenUp(2_000)) === undefined) {
      const { why = "not connected", isRefused = false } = link.down() ?? {};
      if (isRefused) return nothing({ problems: [{ code: "hub-refused", facts: { servers, machine } }] });
      return nothing({ unreachable: { code: "hub-unreachable", facts: { servers, reason: why } } });
    }
    const heard = await Promise.all(
      ROLES.map(async (role) => ({ role, news: await readPresence(link, role, "human") })),
    );
    const problems = heard.flatMap(({ role, news }): ErrorReport[] => {
      const rival = here.includes(role) ? findRival(role, news, instance)?.report : undefined;
      return [...newerThanOurs(news), ...(rival === undefined ? [] : [rival])];
    });
    const roles = heard.flatMap(({ role, news }) => (news ? [{ role, machine: news.machine }] : []));
    return nothing({ problems: problems.slice(0, 1), roles });
  } finally {
    await link.close();
  }
}

function nothing(but: Partial<ArmyOnMachines>): ArmyOnMachines {
  return { unreachable: undefined, problems: [], roles: [], ...but };
}

function newerThanOurs(news: RoleNews | undefined): ErrorReport[] {
  if (news === undefined || news.format <= HUB_FORMAT) return [];
  const { machine, format } = news;
  return [{ code: "hub-newer", facts: { machine, found: format, known: HUB_FORMAT } }];
}
