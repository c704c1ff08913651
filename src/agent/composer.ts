/**
 * The composer of an agent as its screen shows it: where a prompt is written before it is sent.
 *
 * Claude Code and the practice agent draw it the same way: its lines stand between the last two rules, the first
 * behind a prompt mark. A dialog or a menu has no such place, or has something else in it.
 */
const RULE = /^─{3,}$/;
const PROMPT_MARK = "❯";
const BUSY_MARK = "esctointerrupt";

/** What stands in the composer, its wrapped lines joined by line ends; undefined if no composer is drawn. */
export function readComposer(screen: readonly string[]): string | undefined {
  const lines = screen.map((line) => line.trimEnd());
  const lower = lines.findLastIndex((line) => RULE.test(line));
  const upper = lines.slice(0, Math.max(lower, 0)).findLastIndex((line) => RULE.test(line));
  const [first, ...rest] = lines.slice(upper + 1, Math.max(lower, 0));
  if (upper < 0 || first === undefined || !first.startsWith(PROMPT_MARK)) return undefined;
  return [first.slice(PROMPT_MARK.length), ...rest]
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

/** Whether a text is the whole of what stands there: a narrow composer wraps it anywhere, even inside words. */
export function holdsOnly(composer: string, text: string): boolean {
  return withoutBlanks(composer) === withoutBlanks(text);
}

/** Whether the cursor, which stands at the end of what was typed last, stands behind this text. */
export function endsWith(composer: string, text: string): boolean {
  return withoutBlanks(composer).endsWith(withoutBlanks(text));
}

/** The last resort where neither hooks nor a registry tell: a composer is drawn, and no turn goes on. */
export function looksIdle(screen: readonly string[]): boolean {
  // A narrow pane wraps it anywhere.
  return readComposer(screen) !== undefined && !withoutBlanks(screen.join("")).includes(BUSY_MARK);
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, "");
}
