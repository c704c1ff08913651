/** What is known about an army as text, with what needs the person first. Pure. */
import { dirname } from "node:path";
import type { Look } from "../../../command/command-context.ts";
import { formatError } from "../../../i18n/sentences.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import type { Style } from "../../../terminal/paint.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";
import type { ArmyView, RoleView } from "../../../view/describe-army.ts";
import type { PlannedTask } from "../../../view/describe-plan.ts";
import type { MachinesView } from "../../../view/machines.ts";
import { needsIn, formatArmyFlag, formatNeed, formatWayTo, summarizeLetter } from "../../../view/need.ts";

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

const TASK_STYLES: Partial<Record<PlannedTask["state"], Style>> = {
  returned: "warning",
  landing: "good",
  ready: "good",
};

export function formatStatus(army: ArmyView, look: StatusLook): string {
  const texts = look.texts.status;
  const { paint } = look;
  const lines = [paint("strong", texts.sessions[army.state](army.session))];
  if (army.folder !== null && army.agent !== null)
    lines.push(texts.works(cleanLine(army.folder), army.agent, army.state !== "gone"));
  if (army.state === "gone") lines.push(texts.goneNext(formatArmyFlag(army.session)));
  if (army.trouble) lines.push(paint("bad", texts.damaged(formatError(army.trouble, look.texts))));
  lines.push(...formatInbox(army, texts, look), ...formatNeeds(army, texts, look), "");
  const rows = army.roles.map((view) => rowOf(view, texts, look));
  const table = formatTable(texts.columns, rows, look);
  lines.push(...table, ...formatSentences(army, texts, look), ...formatMachines(army.machines, texts, look));
  lines.push(...formatPlan(army.work, texts, look));
  return `${lines.join("\n")}\n`;
}

const MOST_LETTERS = 3;

/** The newest of the person's unread mail, each on a line. */
function formatInbox({ session, inbox }: ArmyView, texts: Texts["status"], look: StatusLook): string[] {
  const { unread, letters } = inbox;
  if (unread === 0) return [];
  const lines = letters.slice(-MOST_LETTERS).map(({ from, timestamp, ...letter }) => {
    const age = look.paint("faint", ageOf(timestamp, texts, look));
    return `  ${look.paint(from, from)} ${age}  ${summarizeLetter(letter)}`;
  });
  const way = `ovld inbox${formatArmyFlag(session)}`;
  return [`${look.paint("strong", texts.mailForYou(unread))}  →  ${way}`, ...lines];
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
  const { role, agent, bell, unread, oldest, task, updated, tab, pane, away } = view;
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
    { text: updated === null ? texts.neverSaid : texts.says(formatStanding(view, texts), task) },
  ];
}

function formatStanding({ status, waitsFor }: RoleView, texts: Texts["status"]): string {
  const word = texts.statuses[status];
  return waitsFor === null ? word : texts.waitsFor(word, waitsFor);
}

/** Why a bell is held, and what a role has stopped working on, takes a sentence, for which a table has no room. */
function formatSentences(
  { state, roles }: ArmyView,
  texts: Texts["status"],
  { texts: { holds }, paint }: StatusLook,
): string[] {
  if (state === "gone") return [];
  const lines = roles.flatMap(({ role, bell, stalled }) => [
    ...(bell.state === "held" ? [paint("faint", `${role}: ${texts.bells.held}: ${holds[bell.why]}`)] : []),
    ...stalled
      .filter(({ from }) => from !== "human")
      .map(({ subject, from }) => paint("warning", texts.stalled(role, subject, from))),
  ]);
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

/** The tasks that are not finished, each with what came back of it; of the others only how many there are. */
function formatPlan(plan: ArmyView["work"], texts: Texts["status"], look: StatusLook): string[] {
  if (plan === null) return [];
  const { work, desk } = look.texts;
  const { trees } = plan;
  const folder = dirname(trees[0]?.path ?? "");
  const rows = plan.tasks.map(({ id, state, owner, to, title, since, after, outcome }): Cell[] => [
    { text: id, style: "strong" },
    { text: `${work.states[state]} ${ageOf(since, texts, look)}`, style: TASK_STYLES[state] },
    { text: owner ?? (to === null ? "–" : `→ ${to}`), style: owner },
    {
      text: [
        cleanLine(title),
        after.length > 0 && `(${work.after(after.join(", "))})`,
        outcome && `– ${cleanLine(work.outcome(outcome))}`,
      ]
        .filter(Boolean)
        .join(" "),
    },
  ]);
  return [
    "",
    ...(rows.length > 0 ? formatTable(work.columns, rows, look) : []),
    ...(plan.more > 0 ? [desk.page.moreTasks(plan.more)] : []),
    work.ended(plan.landed, plan.dropped),
    ...(trees.length > 0 ? [work.trees(cleanLine(folder), trees.map(({ role }) => role).join(", "))] : []),
  ];
}

function ageOf(moment: string | null, texts: Texts["status"], { now }: StatusLook): string {
  return moment === null ? "" : texts.age((now - Date.parse(moment)) / 1_000);
}
