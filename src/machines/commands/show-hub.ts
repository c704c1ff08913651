/** `ovld hub status`: the hub, the armies it serves and their machines. */
import { lookOf, sayJson, sayLine, type CommandContext } from "../../command/command-context.ts";
import { EXIT } from "../../army/errors.ts";
import { LEAST_FREE } from "../server/keep-server.ts";
import { describeHub, type ArmyOnHub, type HubView } from "../server/describe-hub.ts";
import { createPaint, wantsColour } from "../../terminal/paint.ts";
import { formatTable, type Cell } from "../../terminal/table.ts";
import type { HubWork } from "./hub.ts";
import type { HubFinding } from "../../i18n/en/machines.ts";
import { formatFinding } from "../../i18n/sentences.ts";
import { padToWidth, textWidth } from "../../terminal/text-width.ts";

export async function showHub({ context, flags, files }: HubWork): Promise<number> {
  const view = await describeHub(files);
  if (flags.json) sayJson(context, view);
  else printHub(context, view);
  return view.answers ? EXIT.done : EXIT.failed;
}

function printHub(context: CommandContext, view: HubView): void {
  const { machines: texts } = context.texts;
  const { server, answers, listen, hasTls, keeper, freeBytes, armies } = view;
  sayLine(context, texts.state({ isRunning: server !== null, answers, listen, hasTls }));
  if (server !== null && keeper === null) sayLine(context, texts.notSupervised);
  if (freeBytes < LEAST_FREE) sayLine(context, texts.noRoom);
  printArmies(context, armies);
}

export function printArmies(context: CommandContext, armies: ArmyOnHub[]): void {
  const { machines: texts } = context.texts;
  if (armies.length === 0) return sayLine(context, texts.noArmies);
  const rows = armies.flatMap((army) => rowsOf(army, texts.hubMark));
  for (const line of formatTable(texts.columns, rows, lookOf(context))) sayLine(context, line);
}

function rowsOf({ session, machines, unread }: ArmyOnHub, hubMark: string): Cell[][] {
  return machines.map(({ machine, isHub, roles }) => {
    const counts = roles.map((role) => unread[role] ?? null);
    const sum = counts.reduce<number>((total, count) => total + (count ?? 0), 0);
    return [
      { text: session, style: "strong" },
      { text: isHub ? `${machine} ${hubMark}` : machine },
      { text: roles.join(" ") || "–" },
      { text: counts.includes(null) ? "?" : String(sum) },
    ];
  });
}

/** What `ovld hub doctor` has found. */
export function printFindings({ context, flags }: HubWork, findings: HubFinding[]): number {
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
      sayLine(context, `${word}  ${formatFinding(finding, texts.machines.findings)}${fix}`);
    }
  }
  return wrong === 0 ? EXIT.done : EXIT.failed;
}
