/** Which environment variables agents have set in ours, and which of them an army may inherit. */
import type { Environment } from "../system/run-program.ts";
import { CHILD_MARK, CHILD_MARKS } from "./claude/child-marks.ts";

const SESSION_MARKS: ReadonlySet<string> = new Set(["ZELLIJ", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID"]);

/**
 * Removes the marks of an agent or a Zellij session around us; with them, the army's programs would act as its
 * children.
 */
export function environmentForArmy(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !CHILD_MARKS.has(name) && !SESSION_MARKS.has(name)),
  );
}

/** Whether an agent program, of this army or not, has started this process. */
export function isMarkedByAgent(env: Environment): boolean {
  return Boolean(env[CHILD_MARK]);
}
