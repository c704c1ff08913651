/**
 * The stand-in model that plays all six roles: it reads its mail when a bell asks it to, or directly from the bell,
 * and does what the plan says.
 */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Role } from "../../src/army/roles.ts";
import type { ModelRequest, Script, ToolUse, Turn } from "../../test/support/model.ts";
import { CHECK_INBOX, RELAY_TOOL, type Errand, type Part, type Step } from "./part.ts";
import type { Plan } from "./plan.ts";
import { bellsIn, readRequest, showingsIn, type HeardBell, type Reading } from "./read-request.ts";
import type { CampaignRecord, SeenRequest } from "./record.ts";
import { weighRequest } from "./weigh-request.ts";

export interface Stage {
  plan: Plan;
  record: CampaignRecord;
  /** Where the files that the plan names are. */
  project: string;
  /** Resolves when the person has done it. */
  sendPerson: (errand: Errand) => Promise<void>;
}

export interface Actor {
  script: Script;
  /** Whose model this request is for, if that is known. */
  roleOf: (request: ModelRequest) => Role | undefined;
  /** Whether the role is in a turn, as far as its model knows. */
  isInTurn: (role: Role) => boolean;
  /** How many steps of the plan are done. */
  stepsDone: () => number;
}

/** What one role knows, and what it still has to do. */
interface Mind {
  role: Role;
  known: Set<string>;
  waiting: Part[];
  steps: Step[];
  /** The calls of the current step. */
  calls: ToolUse[];
  bells: Set<string>;
  /** A look into the inbox, and the bells that asked for it. */
  check: { id: string; bells: HeardBell[]; found: boolean } | undefined;
  inTurn: boolean;
}

const LAST_WORDS_AFTER_MS = 100;

export function createActor({ plan, record, project, sendPerson }: Stage): Actor {
  const minds = new Map<Role, Mind>();
  const roles = new Map<string, Role>();
  let done = 0;
  let calls = 0;

  function mindOf(role: Role): Mind {
    const known = minds.get(role);
    if (known) return known;
    const waiting = plan.parts.filter((part) => part.role === role);
    const mind: Mind = {
      role,
      known: new Set(),
      waiting,
      steps: [],
      calls: [],
      bells: new Set(),
      check: undefined,
      inTurn: false,
    };
    minds.set(role, mind);
    return mind;
  }

  /** Returns the bells that are new. */
  function takeIn(mind: Mind, reading: Reading, at: number): HeardBell[] {
    let foundMail = false;
    for (const showing of showingsIn(reading)) {
      foundMail = record.show(mind.role, showing, at) || foundMail;
      mind.known.add(showing.mark);
    }
    const { check } = mind;
    if (check && foundMail) check.found = true;
    if (check && reading.results.has(check.id)) {
      if (!check.found) noteEmpty(check.bells);
      mind.check = undefined;
    }
    if (mind.calls.length > 0 && mind.calls.every(({ id = "" }) => reading.results.has(id))) endStep(mind);
    for (const part of mind.waiting.filter(({ when }) => when.every((mark) => mind.known.has(mark)))) {
      mind.waiting.splice(mind.waiting.indexOf(part), 1);
      mind.steps.push(...part.steps);
    }
    const bells = bellsIn(reading).filter(({ key }) => !mind.bells.has(key));
    for (const { key } of bells) mind.bells.add(key);
    const brought = bells.some(({ asksToCheck, isReminder }) => asksToCheck || isReminder) || foundMail;
    if (!brought) noteEmpty(bells);
    return bells;
  }

  function noteEmpty(bells: HeardBell[]): void {
    record.emptyBells.push(...bells.map(({ words }) => words.trim().split("\n", 1).join("")));
  }

  function endStep(mind: Mind): void {
    mind.calls = [];
    mind.steps.shift();
    done += 1;
  }

  function named(tools: ToolUse[]): ToolUse[] {
    return tools.map(({ tool, input }) => {
      const path = "file_path" in input ? { file_path: join(project, String(input.file_path)) } : {};
      return { tool, input: { ...input, ...path }, id: `toolu_campaign${(calls += 1)}` };
    });
  }

  async function nextAnswer(mind: Mind, bells: HeardBell[]): Promise<Turn> {
    if (bells.some(({ asksToCheck }) => asksToCheck)) {
      const [call] = named([{ tool: CHECK_INBOX, input: {} }]);
      mind.check = { id: call?.id ?? "", bells, found: false };
      return call ? [call] : "";
    }
    const [step] = mind.steps;
    if (!step) {
      await pause(LAST_WORDS_AFTER_MS);
      return "That is all for now.";
    }
    await pause(step.after);
    const sent = step.errand && sendPerson(step.errand);
    if (typeof step.answer === "object") return (mind.calls = named(step.answer));
    endStep(mind);
    if (typeof step.answer === "number") return step.answer;
    await sent;
    return "Interrupted.";
  }

  async function playRole(mind: Mind, reading: Reading, at: number): Promise<Turn> {
    mind.inTurn = true;
    const answer = await nextAnswer(mind, takeIn(mind, reading, at));
    mind.inTurn = typeof answer === "object";
    if (typeof answer === "string") record.turns += 1;
    return answer;
  }

  function roleOf(request: ModelRequest, { role: own } = readRequest(request.messages)): Role | undefined {
    const role = own ?? roles.get(request.session);
    if (role) roles.set(request.session, role);
    return role;
  }

  async function script(request: ModelRequest, body: string): Promise<Turn> {
    const reading = readRequest(request.messages);
    const role = roleOf(request, reading);
    const seen: SeenRequest = { ...weighRequest(body, plan.bodies), at: request.at, answer: "work" };
    record.requests.push(seen);
    if (reading.asker === "summary")
      return "<analysis>Short.</analysis><summary>The campaign goes on.</summary>";
    if (reading.asker === "subagent" || !role) return helpOut(request);
    const answer = await playRole(mindOf(role), reading, request.at);
    seen.answer = kindOf(answer);
    return answer;
  }

  return {
    script,
    roleOf: (request) => roleOf(request),
    isInTurn: (role) => minds.get(role)?.inTurn ?? false,
    stepsDone: () => done,
  };
}

/** Looks once and answers with one word. */
function helpOut({ toolResults }: ModelRequest): Turn {
  return toolResults.length === 0
    ? [{ tool: "Bash", input: { command: "sleep 0.5", description: "look" } }]
    : "Seen.";
}

function kindOf(answer: Turn): SeenRequest["answer"] {
  if (!Array.isArray(answer) || !answer.every(({ tool }) => tool.startsWith(RELAY_TOOL))) return "work";
  return answer.every(({ tool }) => tool === CHECK_INBOX) ? "inbox" : "coordination";
}
