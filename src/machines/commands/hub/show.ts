/** `ovld hub status`: the hub, the armies it serves and their machines. */
import { lookOf, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { LEAST_FREE } from "../../server/keep-server.ts";
import { describeHub, type ArmyOnHub, type HubView } from "../../server/describe-hub.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";
import type { HubWork } from "./run.ts";

export async function showHub({ context, flags, files }: HubWork): Promise<number> {
  const view = await describeHub(files);
  if (flags.json) sayJson(context, view);
  else tell(context, view);
  return view.answers ? EXIT.done : EXIT.failed;
}

function tell(context: CommandContext, view: HubView): void {
  const { hub: texts } = context.texts;
  const { server, answers, listen, hasTls, keeper, freeBytes, armies } = view;
  sayLine(context, texts.state({ isRunning: server !== null, answers, listen, hasTls }));
  if (server !== null && keeper === null) sayLine(context, texts.notSupervised);
  if (freeBytes < LEAST_FREE) sayLine(context, texts.noRoom);
  tellArmies(context, armies);
}

export function tellArmies(context: CommandContext, armies: ArmyOnHub[]): void {
  const { hub: texts } = context.texts;
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
