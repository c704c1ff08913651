/** One round: a wish, an order, four tasks of which one waits for two others, and the report. Pure. */
import type { Role } from "../../src/army/roles.ts";
import { readFile, step, type Incident, type Task } from "./incidents.ts";
import { bash, setStatus, type Errand, type Part, type Pen } from "./part.ts";

/** What happens to the army as a whole. */
export const EVENTS = ["broadcast", "urgent mail", "/compact", "/clear"] as const;

type ArmyEvent = (typeof EVENTS)[number];

export interface Round {
  pen: Pen;
  /** One for each general. */
  incidents: Incident[];
  events: ArmyEvent[];
  /** What the person does when the overlord has reported the result. */
  next: Errand;
}

const FIRST: Role[] = ["inferno", "glacier", "storm"];
/** Reviews the work of two others. */
const LAST: Role = "shadow";

export function planRound({ pen, incidents, events, next }: Round): Part[] {
  const tasks = new Map<Role, Task>();
  for (const [index, incident] of incidents.entries()) {
    const role = [...FIRST, LAST][index];
    if (role) tasks.set(role, incident(pen, role));
  }
  for (const event of events) addCommand(pen, event, tasks);
  const resultOf = (role: Role): string => tasks.get(role)?.result ?? "";
  const results = [...tasks.values()].map(({ result }) => result);
  const plan = {
    file_path: ".ovld/campaign.md",
    content: `# Campaign\n\n## Order\n\n${pen.mark("order")}\n`,
  };
  return [
    {
      role: "overlord",
      when: [pen.mark("wish")],
      steps: [
        step(pen, [setStatus("working", "the wish"), { tool: "Write", input: plan }]),
        step(pen, [pen.send("order", "strategist")]),
      ],
    },
    {
      role: "strategist",
      when: [pen.mark("order")],
      steps: [
        step(pen, [
          setStatus("working", "the order"),
          { tool: "Read", input: { file_path: ".ovld/campaign.md" } },
        ]),
        step(
          pen,
          FIRST.map((role) => pen.send(`task-${role}`, role)),
        ),
        ...(events.includes("broadcast") ? [step(pen, [pen.broadcast("all")])] : []),
        ...(events.includes("urgent mail")
          ? [step(pen, [pen.send("urgent", "inferno", { priority: "urgent" })])]
          : []),
      ],
    },
    ...[...tasks.values()].flatMap(({ parts }) => parts),
    {
      role: "strategist",
      when: [resultOf("inferno"), resultOf("glacier")],
      steps: [step(pen, [pen.send(`task-${LAST}`, LAST)])],
    },
    {
      role: "strategist",
      when: results,
      steps: [
        step(pen, [bash("sleep 0.5"), readFile(pen), readFile(pen)]),
        step(pen, [pen.send("result", "overlord", { status: "done" })]),
      ],
    },
    {
      role: "overlord",
      when: [pen.mark("result")],
      steps: [step(pen, [readFile(pen)]), step(pen, [setStatus("done", "the wish")], next)],
    },
  ];
}

/** A command that discards the conversation, typed when the general has reported. */
function addCommand(pen: Pen, event: ArmyEvent, tasks: Map<Role, Task>): void {
  if (!event.startsWith("/")) return;
  const role = FIRST[pen.random(FIRST.length)] ?? LAST;
  const own = tasks.get(role)?.parts.filter((part) => part.role === role);
  const report = own?.at(-1)?.steps.at(-1);
  if (report) report.errand = { act: "type", role, text: event };
}
