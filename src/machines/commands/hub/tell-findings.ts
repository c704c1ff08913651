/** Prints what `ovld hub doctor` has found. */
import { sayJson, sayLine } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import type { HubFinding } from "../../../i18n/en/hub.ts";
import { formatFinding } from "../../../i18n/sentences.ts";
import { createPaint, wantsColour } from "../../../terminal/paint.ts";
import { padToWidth, textWidth } from "../../../terminal/text-width.ts";
import type { HubWork } from "./run.ts";

export function tellFindings({ context, flags }: HubWork, findings: HubFinding[]): number {
  const { env, hasScreen, texts } = context;
  const wrong = findings.filter(({ verdict }) => verdict === "wrong").length;
  if (flags.json) sayJson(context, { wrong, findings });
  else {
    const { verdicts } = texts.doctor;
    const paint = createPaint(wantsColour(env, hasScreen));
    const width = Math.max(...Object.values(verdicts).map(textWidth));
    const styles = { good: "good", note: "warning", wrong: "bad" } as const;
    for (const finding of findings) {
      const word = paint(styles[finding.verdict], padToWidth(verdicts[finding.verdict], width));
      const fix = finding.fix === undefined ? "" : `  →  ${finding.fix}`;
      sayLine(context, `${word}  ${formatFinding(finding, texts.hub.findings)}${fix}`);
    }
  }
  return wrong === 0 ? EXIT.done : EXIT.failed;
}
