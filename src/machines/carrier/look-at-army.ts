/** What a command asks of the hub, once: which role is where, and that the army ends on all machines. */
import { ROLES } from "../../army/roles.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import type { ArmyOnMachines } from "../../mail/other-machines.ts";
import type { RoleNews } from "../../mail/records/away.ts";
import { writeBoard } from "./board.ts";
import { openLink } from "./link.ts";
import { accessOf, HUB_FORMAT, rolesHere, type Membership } from "../membership.ts";
import { findRival, readPresence } from "./presence.ts";
import { loginsOf, testAccess } from "./test-access.ts";

const CONNECT_MS = 2_000;

/** Asked once, by a command. */
export async function lookAtArmy(membership: Membership, now: Date): Promise<ArmyOnMachines> {
  const { servers, ca, machine, instance = "" } = membership;
  const here = rolesHere(membership);
  const link = openLink({ ...accessOf(membership, "human"), name: `ovld summon on ${machine}` });
  try {
    if ((await link.whenUp(CONNECT_MS)) === undefined) {
      const { why = "not connected", isRefused = false } = link.down() ?? {};
      if (isRefused) return { problem: { code: "hub-refused", facts: { servers, machine } }, roles: [] };
      return { unreachable: { code: "hub-unreachable", facts: { servers, reason: why } }, roles: [] };
    }
    const heard = await Promise.all(
      ROLES.map(async (role) => ({ role, news: await readPresence(link, role, "human") })),
    );
    const roles = heard.flatMap(({ role, news }) => (news ? [{ role, machine: news.machine }] : []));
    for (const { role, news } of heard) {
      const rival = here.includes(role) ? findRival(role, news, instance)?.report : undefined;
      const problem = findNewerFormat(news) ?? rival;
      if (problem !== undefined) return { problem, roles };
    }
    if (!membership.foreign) return { roles };
    const { problem } = await testAccess({ servers, ca, logins: loginsOf(membership), now });
    return { roles, ...(problem && { problem }) };
  } finally {
    await link.close();
  }
}

function findNewerFormat(news: RoleNews | undefined): ErrorReport | undefined {
  if (news === undefined || news.format <= HUB_FORMAT) return undefined;
  const { machine, format } = news;
  return { code: "hub-newer", facts: { machine, found: format, known: HUB_FORMAT } };
}

/**
 * Orders all machines to end their parts of the army; undefined if the hub has the order. It lets only the person's
 * keys write one.
 */
export async function endEverywhere(membership: Membership): Promise<ErrorReport | undefined> {
  const { servers, machine } = membership;
  const link = openLink({ ...accessOf(membership, "human"), name: `ovld unsummon on ${machine}` });
  try {
    await link.whenUp(CONNECT_MS);
    const text = JSON.stringify({ order: "end" });
    const revision = await writeBoard(link, { kind: "order", user: "human", text });
    if (revision !== undefined) return undefined;
    const { why = "it did not confirm the order", isRefused = false } = link.down() ?? {};
    if (isRefused) return { code: "hub-refused", facts: { servers, machine } };
    return { code: "hub-unreachable", facts: { servers, reason: why } };
  } finally {
    await link.close();
  }
}
