/** Restarts an agent at the person's wish, if it still needs that: it may have come back since the page showed it. */
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import { beginRestarts } from "../summon/begin-restarts.ts";
import type { Restart } from "../summon/restart-agent.ts";
import { lazily } from "../system/lazily.ts";
import { OvldError } from "../system/ovld-error.ts";
import { needsIn } from "../view/need.ts";
import { seeArmy } from "../view/see-army.ts";

export type DeskRestart = Restart | { role: Role; outcome: "not-needed"; why?: undefined };

const given = lazily(() => z.object({ role: z.enum(ROLES) }));

/** Undefined if the body names no role. */
export async function restartAtDesk(
  context: CommandContext,
  session: string,
  body: unknown,
): Promise<DeskRestart | undefined> {
  const { data } = given().safeParse(body);
  if (data === undefined) return undefined;
  const { role } = data;
  const { own, problems, restart } = await beginRestarts(context, session);
  const [problem] = problems;
  if (problem !== undefined) throw new OvldError(problem);
  const { need } = needsIn(await seeArmy(context, own, {})).find(({ view }) => view.role === role) ?? {};
  const isNeeded = need?.kind === "gone" || need?.kind === "cut-off";
  return isNeeded ? restart(role) : { role, outcome: "not-needed" };
}
