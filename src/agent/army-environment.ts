/** What of our environment agents have set, and what of it may go on to an army. */
import type { Environment } from "../config/environment.ts";
import { CHILD_MARK, CHILD_MARKS } from "./claude/child-marks.ts";

const SESSION_MARKS: ReadonlySet<string> = new Set(["ZELLIJ", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID"]);

/** Without the marks of an agent or a Zellij session around us, which would make theirs behave as its children. */
export function environmentForArmy(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !CHILD_MARKS.has(name) && !SESSION_MARKS.has(name)),
  );
}

/** Whether an agent program, of an army or not, says that it has started us. */
export function isMarkedByAgent(env: Environment): boolean {
  return Boolean(env[CHILD_MARK]);
}
