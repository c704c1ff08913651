/** What is known about an army as text, with what needs the person first. Pure. */
import type { Look } from "../../../command/command-context.ts";
import { formatError } from "../../../i18n/sentences.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import type { Style } from "../../../terminal/paint.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";
import type { ArmyView, RoleView } from "../../../view/describe-army.ts";
import type { MachinesView } from "../../../view/machines.ts";
import { needsIn, formatArmyFlag, formatNeed, formatWayTo } from "../../../view/need.ts";

export interface StatusLook extends Look {
  /** The session in which the person runs this, if any. */
  within: string | undefined;
}

const STATE_STYLES: Partial<Record<RoleView["agent"]["state"], Style>> = {
  asking: "warning",
  suspended: "warning",
  busy: "good",
  failed: "bad",
  gone: "bad",
  unknown: "faint",
};

export function formatStatus(army: ArmyView, look: StatusLook): string {
  const texts = look.texts.status;
  const { paint } = look;
  const lines = [paint("strong", texts.sessions[army.state](army.session))];
  if (army.folder !== null && army.agent !== null)
    lines.push(texts.works(cleanLine(army.folder), army.agent, army.state !== "gone"));
  if (army.state === "gone") lines.push(texts.goneNext(formatArmyFlag(army.session)));
  if (army.trouble) lines.push(paint("bad", texts.damaged(formatError(army.trouble, look.texts))));
  lines.push(...formatNeeds(army, texts, look), "");
  const rows = army.roles.map((view) => rowOf(view, texts, look));
  const table = formatTable(texts.columns, rows, look);
  lines.push(...table, ...formatHolds(army, texts, look), ...formatMachines(army.machines, texts, look));
  return `${lines.join("\n")}\n`;
}

function formatNeeds(
  army: ArmyView,
  texts: Texts["status"],
  { texts: all, paint, within }: StatusLook,
): string[] {
  if (army.state === "gone") return [];
  const needs = needsIn(army);
  // If Zellij does not answer, that is unknown.
  if (needs.length === 0) return army.state === "unknown" ? [] : [texts.allQuiet];
  const lines = needs.map(({ view, need }) => {
    const way = formatWayTo({ session: army.session, view, need, within }, texts);
    return `  ${paint("warning", formatNeed(need, view.role, all))}  →  ${way}`;
  });
  return [paint("warning", texts.needsYou), ...lines];
}

function rowOf(view: RoleView, texts: Texts["status"], look: StatusLook): Cell[] {
  const { role, agent, bell, unread, oldest, status, task, updated, tab, pane, away } = view;
  const { state, since, evidence } = agent;
  const known =
    evidence === "none"
      ? ""
      : ` (${[ageOf(since, texts, look), texts.evidence[evidence]].filter(Boolean).join(", ")})`;
  const bellAge = "at" in bell ? ` ${ageOf(bell.at, texts, look)}` : "";
  return [
    { text: role, style: role },
    { text: `${texts.states[state]}${known}`, style: STATE_STYLES[state] },
    { text: texts.unread(unread, ageOf(oldest, texts, look)), style: unread > 0 ? "strong" : "faint" },
    { text: `${texts.bells[bell.state]}${bellAge}`, style: bell.state === "unanswered" ? "bad" : undefined },
    { text: away ? texts.on(away.machine) : texts.place(tab && cleanLine(tab), pane), style: "faint" },
    { text: updated === null ? texts.neverSaid : texts.says(texts.statuses[status], task) },
  ];
}

/** The reason for a held bell takes a sentence, for which a table has no room. */
function formatHolds(
  { state, roles }: ArmyView,
  texts: Texts["status"],
  { texts: { holds }, paint }: StatusLook,
): string[] {
  if (state === "gone") return [];
  const lines = roles.flatMap(({ role, bell }) =>
    bell.state === "held" ? [paint("faint", `${role}: ${texts.bells.held}: ${holds[bell.why]}`)] : [],
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Where the roles are, when other machines were last heard of, and what waits for the hub. */
function formatMachines(view: MachinesView | null, texts: Texts["status"], look: StatusLook): string[] {
  if (view === null) return [];
  const { paint } = look;
  const { hub, outbox, unheard } = view;
  const lines = view.machines.map(({ machine, roles, heard, isSilent }) => {
    const names = roles.join(", ");
    if (heard === null) return texts.thisMachine(machine, names);
    const line = texts.machine(machine, names, ageOf(heard, texts, look));
    return isSilent ? paint("warning", line) : line;
  });
  if (unheard.length > 0) lines.push(paint("warning", texts.unheard(unheard.join(", "))));
  if (hub?.isUp === false) {
    const age = ageOf(hub.since, texts, look);
    const line = hub.isRefused ? texts.hubRefuses(age) : texts.hubDown(age, hub.why ?? "");
    lines.push(paint("warning", line));
  }
  for (const { from, count, since } of outbox) {
    lines.push(paint("warning", texts.outbox(from, count, ageOf(since, texts, look))));
  }
  return ["", ...lines];
}

function ageOf(moment: string | null, texts: Texts["status"], { now }: StatusLook): string {
  return moment === null ? "" : texts.age((now - Date.parse(moment)) / 1_000);
}

export function formatArmies(armies: ArmyView[], look: StatusLook): string {
  const texts = look.texts.status;
  if (armies.length === 0) return `${texts.noArmies}\n`;
  const rows = armies.map((army): Cell[] => {
    const needs = needsIn(army).map(({ view }) => view.role);
    const unread = army.roles.reduce((sum, view) => sum + view.unread, 0);
    return [
      { text: army.session, style: "strong" },
      { text: texts.sessionWords[army.state], style: army.state === "live" ? "good" : undefined },
      { text: needs.join(", ") || "–", style: needs.length > 0 ? "warning" : "faint" },
      { text: unread === 0 ? "–" : String(unread) },
      { text: army.folder === null ? "–" : cleanLine(army.folder) },
      { text: cleanLine(army.relayDir), style: "faint" },
    ];
  });
  return `${formatTable(texts.allColumns, rows, look).join("\n")}\n`;
}
