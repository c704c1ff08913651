/** The answer that the arguments of the command give to a request. Pure. */
import type { AgentRequest, Verdict } from "../../../mail/records/request.ts";
import { OvldError, type VerdictProblem } from "../../../system/ovld-error.ts";

export interface GivenVerdict {
  verdict?: "allow" | "deny" | undefined;
  why?: string | undefined;
  /** For a question, one for each: numbers from 1, separated by commas. Otherwise what the dialog offers. */
  choose?: readonly string[] | undefined;
  text?: string | undefined;
}

/** Undefined if they give none. */
export function readVerdict(request: AgentRequest, given: GivenVerdict): Verdict | undefined {
  const { verdict, why, choose = [], text } = given;
  if (verdict === "deny") return { verdict: "deny", reason: why ?? text ?? "" };
  if (verdict === undefined && choose.length === 0 && text === undefined) return undefined;
  if (request.kind !== "question") {
    if (text !== undefined) throw unfit(request, "not-a-question");
    return { verdict: "allow", suggestions: choose.flatMap((words) => requireNumbers(request, words)) };
  }
  if (verdict === "allow") throw unfit(request, "needs-answers");
  const answers = choose.map((words) => ({ chosen: requireNumbers(request, words) }));
  return { verdict: "answer", answers: text === undefined ? answers : [...answers, { chosen: [], text }] };
}

function requireNumbers(request: AgentRequest, words: string): number[] {
  const numbers = numbersIn(words);
  if (numbers === undefined) throw unfit(request, "not-offered");
  return numbers;
}

/** The indices of what was chosen; undefined if it is something else than numbers from 1, separated by commas. */
export function numbersIn(words: string): number[] | undefined {
  if (!/^\s*[1-9]\d{0,3}(\s*,\s*[1-9]\d{0,3})*\s*$/.test(words)) return undefined;
  return words.split(",").map((word) => Number(word) - 1);
}

function unfit({ role }: AgentRequest, problem: VerdictProblem): OvldError {
  return new OvldError({ code: "answer-unfit", facts: { role, problem } });
}
