/** By which a program knows that a Claude Code has started it. */

/** Set in whatever it starts. */
export const CHILD_MARK = "CLAUDECODE";

/**
 * What a Claude Code tells the programs it starts of itself. One that finds these takes itself for the other's child:
 * its conversation is not kept, and it answers at the other's socket. Every other `CLAUDE_CODE_…` is the person's own
 * setting, and stays. `test/claude/contract.test.ts` looks at what a real one hands on.
 */
export const CHILD_MARKS: ReadonlySet<string> = new Set([
  "AI_AGENT",
  CHILD_MARK,
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
