/** `ovld attach`: takes the person to a running army, and to the pane of a role in it. */
import type { Role } from "../../../army/roles.ts";
import { printProblems, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { mailOfArmy } from "../../../person/find-runner.ts";
import { armyOf, sessionNow } from "../../../summon/army.ts";
import { beginOpening, joinArmy } from "../../../summon/open-army.ts";
import { waitUntil } from "../../../system/async.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { describeArmy } from "../../../view/describe-army.ts";
import { focusPane, listClients } from "../../../zellij/panes.ts";
import { sessionAround } from "../../../zellij/session-record.ts";
import { zellijProblems } from "../../../zellij/version.ts";
import { goToRole } from "../status/watch-on-screen.ts";

export async function attach(
  context: CommandContext,
  flags: { army?: string },
  role?: Role,
): Promise<number> {
  const own = mailOfArmy(context, flags.army);
  const { session } = own;
  const army = await armyOf(context, session);
  const problems = zellijProblems(army);
  if (problems.length > 0) return printProblems(context, problems);
  {
    await using opening = await beginOpening(context, army);
    if (opening !== undefined) throw new OvldError({ code: "no-army", facts: { session } });
  }
  if (role === undefined) return joinArmy(context, army, flags);
  const view = await describeArmy(context, own);
  const { pane = null } = view.roles.find((each) => each.role === role) ?? {};
  const around = sessionAround(context.env);
  const within = around && sessionNow(context.env, around);
  const { zellij } = army;
  const countClients = async (): Promise<number> => (await listClients(zellij, session)).length;
  const isHere = within === view.session;
  // Zellij moves the client in which the last key was pressed: that may be somebody else's, if there is one.
  const isAlone = !isHere && (await countClients()) === 0;
  const told = isAlone && pane !== null ? [] : await goToRole(context, { army: own, view }, role, within);
  for (const line of told) sayLine(context, line);
  if (isHere || pane === null) return told.length === 0 ? EXIT.done : EXIT.failed;
  const joined = joinArmy(context, army, flags);
  if (!isAlone) return joined;
  const left = new AbortController();
  const leave = (): void => left.abort();
  void joined.then(leave, leave);
  await waitUntil(async () => (await countClients()) > 0, { everyMs: 100, stop: left.signal });
  // By tab and direction, because Zellij moves a client to a pane by its number only after a key was pressed there.
  const mayGoOn = async (): Promise<boolean> => (await countClients()) === 1;
  if (await mayGoOn()) await focusPane(zellij, session, role, mayGoOn);
  return joined;
}
