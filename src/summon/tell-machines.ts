/** Before a part of an army is opened: whether this machine may have its roles, and where the others are. */
import { ROLES } from "../army/roles.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import { formatError } from "../i18n/sentences.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import type { MachinePart } from "./membership-files.ts";

/** What prevents it. A hub that does not answer does not: mail to other machines waits until it does. */
export async function tellMachines(
  context: CommandContext,
  { membership, roles }: MachinePart,
): Promise<ErrorReport[]> {
  const { texts, json, print, loadHubMail } = context;
  const army = await loadHubMail().lookAtArmy(membership);
  if (army.problems.length > 0) return army.problems;
  if (membership.foreign && army.unreachable === undefined) {
    const { loginsOf, testAccess } = loadHubMail();
    const { servers, ca } = membership;
    const now = new Date(context.now());
    const { problem } = await testAccess({ servers, ca, logins: loginsOf(membership), now });
    if (problem !== undefined) return [problem];
  }
  if (army.unreachable !== undefined) {
    print("stderr", `ovld: ${formatError(army.unreachable, texts)} ${texts.hub.mailWaits}\n`);
  }
  if (json) return [];
  sayLine(context, texts.hub.here(membership.machine, roles.join(", ")));
  const elsewhere = ROLES.filter((role) => !roles.includes(role)).map((role) => {
    const machine = army.roles.find((each) => each.role === role)?.machine;
    return machine === undefined ? texts.hub.notHeard(role) : texts.hub.elsewhere(role, machine);
  });
  if (elsewhere.length > 0) sayLine(context, elsewhere.join(" "));
  return [];
}
