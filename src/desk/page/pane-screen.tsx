/** A look at one role's pane in its colours, repeated now and then while it is shown. */
import { useEffect, useState } from "preact/hooks";
import type { Role } from "../../army/roles.ts";
import type { PaneTrouble } from "../../army/words.ts";
import { cleanForScreen } from "../../system/clean-text.ts";
import type { DeskAnswer, DeskCalls } from "./call-desk.ts";
import { useTexts } from "./page-parts.tsx";
import { parseColours, type ColouredSpan } from "./parse-colours.ts";

type Screen = { lines: string[] } | { trouble: PaneTrouble };

/** Seldom: each look is a call of Zellij. */
const LOOK_EVERY_MS = 4_000;

interface PaneScreenProps {
  role: Role;
  calls: DeskCalls;
  /** How often it is looked at; without a limit if not given. */
  looks?: number;
}

export function PaneScreen({ role, calls, looks = Infinity }: PaneScreenProps) {
  const { holds, desk } = useTexts();
  const [screen, setScreen] = useState<DeskAnswer<Screen>>();
  useEffect(() => {
    let isOver = false;
    let left = looks;
    let timer: number | undefined;
    const look = async (): Promise<void> => {
      // Nobody looks at a page in the background.
      if (!document.hidden) {
        const answer = await calls.get<Screen>("screen", { role });
        if (isOver) return;
        setScreen(answer);
        left -= 1;
      }
      if (left > 0) timer = window.setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    void look();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [role, calls, looks]);
  if (screen === undefined) return <p class="note">{desk.page.connecting}</p>;
  if ("problem" in screen) return <p class="note">{desk.page.noScreen(screen.problem)}</p>;
  if ("trouble" in screen.value) return <p class="note">{desk.page.noScreen(holds[screen.value.trouble])}</p>;
  return (
    <pre class="screen" tabIndex={0} aria-label={desk.page.showScreen(role)}>
      {parseColours(screen.value.lines).map((spans, index) => (
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
