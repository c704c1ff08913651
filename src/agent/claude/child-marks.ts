/** The marks by which a program knows that Claude Code started it. */

/** Claude Code sets it in everything it starts. */
export const CHILD_MARK = "CLAUDECODE";

/**
 * The variables by which Claude Code describes itself to the programs it starts. A Claude Code that inherits them
 * acts as a child of the other: its conversation is not kept, and it answers at the other's socket. All other
 * `CLAUDE_CODE_…` variables are the person's own settings and are kept. `test/claude/contract.test.ts` checks what
 * the real program passes on.
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
