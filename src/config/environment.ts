/** The environment of this process, and what of it may go on to others. */
export type Environment = Readonly<Record<string, string | undefined>>;

const AGENT_MARKS = /^(CLAUDECODE$|CLAUDE_CODE_)/;
/** How the person has chosen to reach the model is no mark. */
const WAY_TO_THE_MODEL = /^CLAUDE_CODE_(USE_|SKIP_\w+_AUTH$|OAUTH_TOKEN$|API_KEY_HELPER_)/;
const SESSION_MARKS = new Set(["ZELLIJ", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID"]);

/** Without the marks of an agent or a Zellij session around us, which would make theirs behave as its children. */
export function environmentForArmy(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => (!AGENT_MARKS.test(name) || WAY_TO_THE_MODEL.test(name)) && !SESSION_MARKS.has(name),
    ),
  );
}
