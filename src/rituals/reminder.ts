/**
 * What a role's relay answers when its agent has lost the conversation that held its ritual: the ritual again, as
 * context, without a keystroke. Pure.
 */

/** The most that Claude Code takes as context from a hook; what is longer it cuts off. */
const MOST_CONTEXT = 10_000;

const LOST_BY: Readonly<Record<string, string>> = {
  clear: "The conversation was cleared.",
  compact: "The conversation was compacted.",
};

export interface Reminder {
  /** As the SessionStart hook tells it. */
  source: string;
  text: string;
  /** Where the text can be read whole. */
  path: string;
}

/** The answer to a SessionStart hook; undefined where nothing was lost. */
export function remindOfRitual({ source, text, path }: Reminder): string | undefined {
  const what = LOST_BY[source];
  if (what === undefined) return undefined;
  const whole = `${what} This is the ritual of your role again; it still holds.\n\n${text}`;
  const additionalContext = whole.length <= MOST_CONTEXT ? whole : beginning(what, text, path);
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } });
}

/** As much as fits, in whole lines, after a sentence that says where all of it is. */
function beginning(what: string, text: string, path: string): string {
  const head = `${what} The ritual of your role still holds. It is too long to be given here whole: all of it is in ${path}, to be read before any other work. It begins:\n\n`;
  const part = text.slice(0, MOST_CONTEXT - head.length);
  return head + part.slice(0, part.lastIndexOf("\n") + 1 || part.length);
}
