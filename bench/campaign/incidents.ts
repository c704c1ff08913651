/** What can happen to a general between its task and its report. Pure. */
import type { Role } from "../../src/army/roles.ts";
import type { ToolUse } from "../../test/support/model.ts";
import { bash, setStatus, type Errand, type Part, type Pen, type Step } from "./part.ts";

/** A general's task: its parts, and the dispatch that tells the strategist that it is done. */
export interface Task {
  parts: Part[];
  result: string;
}

export type Incident = (pen: Pen, role: Role) => Task;

/** The prompt by which the stand-in recognises a subagent. */
export const HELPER_PROMPT = "You help one general of a campaign: look at the folder and say what you see.";
/** How many files there are to read; `run-campaign.ts` creates them. */
export const PROJECT_FILES = 8;

export function projectFile(number: number): string {
  return `src/part-${number % PROJECT_FILES}.ts`;
}

/** Every kind of trouble that a task can meet, and some harmless events. */
export const INCIDENTS: Record<string, Incident> = {
  "background shell": task((pen) => [
    step(pen, [bash(`sleep ${2 + pen.random(3)}`, { run_in_background: true })]),
  ]),
  subagent: task((pen) => [
    step(pen, [
      {
        tool: "Agent",
        input: { description: "look", prompt: HELPER_PROMPT, subagent_type: "general-purpose" },
      },
    ]),
  ]),
  "permission given": task((pen, role) => [step(pen, [bash(`touch ../${role}`)], { act: "accept", role })]),
  "permission refused": task((pen, role) => [step(pen, [bash(`touch ../${role}`)], { act: "refuse", role })]),
  "question in a dialog": task((pen, role) => [
    step(pen, [{ tool: "AskUserQuestion", input: { questions: [QUESTION] } }], { act: "accept", role }),
  ]),
  "turn that dies": withFirst({ after: 0, answer: 403 }),
  "overloaded API": withFirst({ after: 0, answer: 529 }),
  Esc: task((_, role) => [{ after: 0, answer: "nothing", errand: { act: "interrupt", role } }]),
  "question by mail": (pen, role) => ({
    parts: [
      {
        role,
        when: [pen.mark(`task-${role}`)],
        steps: [begin(pen, role), step(pen, [pen.send(`ask-${role}`, "strategist", { status: "blocked" })])],
      },
      {
        role: "strategist",
        when: [pen.mark(`ask-${role}`)],
        steps: [step(pen, [pen.send(`answer-${role}`, role)])],
      },
      { role, when: [pen.mark(`answer-${role}`)], steps: [work(pen), report(pen, role)] },
    ],
    result: pen.mark(`report-${role}`),
  }),
  "returned work": (pen, role) => ({
    parts: [
      ...plainTask(pen, role).parts,
      {
        role: "strategist",
        when: [pen.mark(`report-${role}`)],
        steps: [step(pen, [pen.send(`back-${role}`, role)])],
      },
      { role, when: [pen.mark(`back-${role}`)], steps: [work(pen), report(pen, role, "again")] },
    ],
    result: pen.mark(`again-${role}`),
  }),
  "person types": (pen, role) => {
    const text = pen.say(`word-${role}`);
    const { parts, result } = task(() => [
      step(pen, [work(pen)].flatMap(callsOf), { act: "type", role, text }),
    ])(pen, role);
    const told: Part = {
      role,
      when: [pen.mark(`word-${role}`)],
      steps: [step(pen, [pen.send(`change-${role}`, "strategist")])],
    };
    return { parts: [...parts, told], result };
  },
};

const QUESTION = {
  question: "Which way shall it be done?",
  header: "Way",
  multiSelect: false,
  options: [
    { label: "plain", description: "the plain way" },
    { label: "clever", description: "the clever way" },
  ],
};

const plainTask: Incident = task(() => []);

function task(middle: (pen: Pen, role: Role) => Step[]): Incident {
  return (pen, role) => ({
    parts: [
      {
        role,
        when: [pen.mark(`task-${role}`)],
        steps: [begin(pen, role), ...middle(pen, role), work(pen), report(pen, role)],
      },
    ],
    result: pen.mark(`report-${role}`),
  });
}

/** The step comes in the answer to the very request that shows the task. */
function withFirst(first: Step): Incident {
  return (pen, role) => {
    const { parts, result } = plainTask(pen, role);
    return { parts: parts.map((part) => ({ ...part, steps: [first, ...part.steps] })), result };
  };
}

function begin(pen: Pen, role: Role): Step {
  return step(pen, [setStatus("working", `the part of ${role}`), readFile(pen), readFile(pen)]);
}

/** Runs a command that takes a moment and prints a little. */
function work(pen: Pen): Step {
  return step(pen, [
    bash(`sleep 0.${1 + pen.random(9)}; head -n 20 ${projectFile(pen.random(PROJECT_FILES))}`),
  ]);
}

export function readFile(pen: Pen): ToolUse {
  return { tool: "Read", input: { file_path: projectFile(pen.random(PROJECT_FILES)) } };
}

function report(pen: Pen, role: Role, name = "report"): Step {
  return step(pen, [pen.send(`${name}-${role}`, "strategist", { status: "done" })]);
}

function callsOf({ answer }: Step) {
  return Array.isArray(answer) ? answer : [];
}

export function step(pen: Pen, answer: Step["answer"], errand?: Errand): Step {
  return { after: 50 + pen.random(350), answer, ...(errand && { errand }) };
}
