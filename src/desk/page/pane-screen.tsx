/** A look at one role's pane in its colours, repeated now and then while it is shown. */
import type { Role } from "../../army/roles.ts";
import { cleanForScreen } from "../../system/clean-text.ts";
import { useAnswer, usePage } from "./page-parts.tsx";
import { parseColours, type ColouredSpan } from "./parse-colours.ts";

/** Seldom: each look is a call of Zellij. */
const LOOK_EVERY_MS = 4_000;

/** `looks` is how often it is looked at. */
export function PaneScreen({ role, looks = Infinity }: { role: Role; looks?: number }) {
  const { texts, words } = usePage();
  const { value, problem } = useAnswer("screen", { role }, { everyMs: LOOK_EVERY_MS, times: looks });
  if (problem !== undefined) return <p class="note">{words.noScreen(problem)}</p>;
  if (value === undefined) return <p class="note">{words.connecting}</p>;
  if ("trouble" in value) return <p class="note">{words.noScreen(texts.holds[value.trouble])}</p>;
  return <ColouredText lines={value.lines} label={words.showScreen(role)} />;
}

/** What a program has written to a terminal, in its colours. */
export function ColouredText({ lines, label }: { lines: readonly string[]; label: string }) {
  return (
    <pre class="screen" tabIndex={0} aria-label={label}>
      {parseColours(lines).map((spans, index) => (
        <span key={index}>
          {spans.map((span, position) => (
            <span key={position} style={styleOf(span)}>
              {cleanForScreen(span.text)}
            </span>
          ))}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function styleOf({ colour, background, bold, faint, inverse }: ColouredSpan): Record<string, string> {
  const [front, back] = inverse ? [background ?? "#1c1c1c", colour ?? "#dddddd"] : [colour, background];
  return {
    ...(front && { color: front }),
    ...(back && { backgroundColor: back }),
    ...(bold && { fontWeight: "bold" }),
    ...(faint && { opacity: "0.65" }),
  };
}
