/** What the rest of ovld uses of this folder, built into a file of its own. */
import { ROLES, type Role } from "../army/roles.ts";
import type { ArmyOnMachines, MachinePart, Machines } from "../mail/other-machines.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { writeBoard } from "./carrier/board.ts";
import { describeSilence, openLink } from "./carrier/link.ts";
import { findNewerFormat, findRival, readPresence } from "./carrier/presence.ts";
import { askBoard } from "./carrier/questions.ts";
import { openWayOut, takePart } from "./carrier/take-part.ts";
import { loginsOf, testAccess } from "./carrier/test-access.ts";
import { accessOf, readMembershipFile, rolesHere, type Membership } from "./membership.ts";

/** Undefined if there is no such file. */
function readPart(path: string): MachinePart | { unfit: ErrorReport } | undefined {
  try {
    const membership = readMembershipFile(path);
    return (
      membership && {
        path,
        machine: membership.machine,
        roles: rolesHere(membership),
        openWayOut: (sending) => openWayOut(membership, sending),
        lookAtArmy: (now) => lookAtArmy(membership, now),
        askBoard: (role, question) => askOnce(membership, role, question),
        endEverywhere: () => endEverywhere(membership),
      }
    );
  } catch (error) {
    if (error instanceof OvldError) return { unfit: error.report };
    throw error;
  }
}

const CONNECT_MS = 2_000;

async function lookAtArmy(membership: Membership, now: Date): Promise<ArmyOnMachines> {
  const { servers, ca, machine, instance = "" } = membership;
  const here = rolesHere(membership);
  await using link = openLink({ ...accessOf(membership, "human"), name: `ovld summon on ${machine}` });
  await link.whenAnswered(CONNECT_MS);
  if (link.up() === undefined) {
    const report = describeSilence(link, membership, "not connected");
    return { [report.code === "hub-refused" ? "problem" : "unreachable"]: report, roles: [] };
  }
  const heard = await Promise.all(
    ROLES.map(async (role) => ({ role, news: await readPresence(link, role, "human") })),
  );
  const roles = heard.flatMap(({ role, news }) => (news ? [{ role, machine: news.machine }] : []));
  for (const { role, news } of heard) {
    const rival = here.includes(role) ? findRival(role, news, instance) : undefined;
    const problem = findNewerFormat(news) ?? rival;
    if (problem !== undefined) return { problem, roles };
  }
  if (!membership.foreign) return { roles };
  const { problem } = await testAccess({ servers, ca, logins: loginsOf(membership), now });
  return { roles, ...(problem && { problem }) };
}

async function askOnce(membership: Membership, role: Role, question: string): Promise<string | undefined> {
  const name = `ovld task of ${role} on ${membership.machine}`;
  await using link = openLink({ ...accessOf(membership, role), name });
  await link.whenAnswered(CONNECT_MS);
  return await askBoard(link, role, question);
}

/**
 * Orders all machines to end their parts of the army; undefined if the hub has the order. It lets only the person's
 * keys write one.
 */
export async function endEverywhere(membership: Membership): Promise<ErrorReport | undefined> {
  const name = `ovld unsummon on ${membership.machine}`;
  await using link = openLink({ ...accessOf(membership, "human"), name });
  await link.whenAnswered(CONNECT_MS);
  const text = JSON.stringify({ order: "end" });
  const revision = await writeBoard(link, { kind: "order", user: "human", text });
  if (revision !== undefined) return undefined;
  return describeSilence(link, membership, "it did not confirm the order");
}

({ readPart, takePart }) satisfies Machines;

export { readPart, takePart };
