/** The environment of this process, and what of it may go on to others. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a Claude Code tells the programs it starts of itself. One that finds these takes itself for the other's child:
 * its conversation is not kept, and it answers at the other's socket. Every other `CLAUDE_CODE_…` is the person's own
 * setting, and stays. `test/claude/contract.test.ts` looks at what a real one hands on.
 */
const AGENT_MARKS: ReadonlySet<string> = new Set([
  "AI_AGENT",
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SESSION_KIND",
  "CLAUDE_CODE_SESSION_NAME",
  "CLAUDE_EFFORT",
  "CLAUDE_ENV_FILE",
  "CLAUDE_JOB_DIR",
  "CLAUDE_PID",
  "CLAUDE_PROJECT_DIR",
]);
const SESSION_MARKS: ReadonlySet<string> = new Set(["ZELLIJ", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID"]);

/** Without the marks of an agent or a Zellij session around us, which would make theirs behave as its children. */
export function environmentForArmy(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !AGENT_MARKS.has(name) && !SESSION_MARKS.has(name)),
  );
}
