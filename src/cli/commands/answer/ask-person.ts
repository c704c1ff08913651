/** Shows the person at the terminal a request and asks for their answer. Nothing is allowed by pressing Enter alone. */
import type { AgentRequest, Verdict } from "../../../mail/records/request.ts";
import { checkVerdict } from "../../../requests/answer-request.ts";
import { ask } from "../../../terminal/ask.ts";
import { sayLine, type CommandContext } from "../../../command/command-context.ts";
import { numbersIn } from "./read-verdict.ts";
import { printQuestion, printRequest, type RequestLook } from "./print-request.ts";

/** `later`: the person skips it. */
export type PersonSays = Verdict | "later" | "stop";

/** `stop` is aborted if the request has gone away in the meantime. */
export async function askPerson(
  context: CommandContext,
  request: AgentRequest,
  look: RequestLook,
  stop: AbortSignal,
): Promise<PersonSays> {
  context.print("stdout", `\n${printRequest(request, look)}`);
  switch (request.kind) {
    case "oversized":
      return "later";
    case "question":
      return askQuestions(context, request, look, stop);
    case "permission":
    case "plan":
      return askVerdict(context, request, stop);
  }
}

type Decidable = Extract<AgentRequest, { kind: "permission" | "plan" }>;

async function askVerdict(
  context: CommandContext,
  request: Decidable,
  stop: AbortSignal,
): Promise<PersonSays> {
  const texts = context.texts.answer;
  for (;;) {
    const word = (await ask(texts.prompts[request.kind], stop))?.trim().toLowerCase();
    if (word === undefined || word === "q") return "stop";
    if (word === "") return "later";
    if (word === "y") return { verdict: "allow", suggestions: [] };
    if (word === "n") {
      const reason = await ask(request.kind === "plan" ? texts.whatInstead : texts.why, stop);
      return reason === undefined ? "stop" : { verdict: "deny", reason };
    }
    const suggestions = numbersIn(word);
    if (suggestions !== undefined) {
      const verdict: Verdict = { verdict: "allow", suggestions };
      if (checkVerdict(request, verdict) === undefined) return verdict;
    }
    sayLine(context, texts.notUnderstood);
  }
}

async function askQuestions(
  context: CommandContext,
  request: Extract<AgentRequest, { kind: "question" }>,
  look: RequestLook,
  stop: AbortSignal,
): Promise<PersonSays> {
  const { answer: texts } = context.texts;
  const answers: Extract<Verdict, { verdict: "answer" }>["answers"] = [];
  for (const question of request.questions) {
    // One question has just been shown; of several, each is shown again where it is answered.
    if (request.questions.length > 1) sayLine(context, printQuestion(question, look).join("\n"));
    const prompt = question.several ? texts.prompts.several : texts.prompts.one;
    for (;;) {
      const words = await ask(prompt, stop);
      if (words === undefined) return "stop";
      if (words.trim() === "") return "later";
      const chosen = numbersIn(words);
      const given = chosen === undefined ? { chosen: [], text: words } : { chosen };
      const only = { ...request, questions: [question] };
      if (checkVerdict(only, { verdict: "answer", answers: [given] }) === undefined) {
        answers.push(given);
        break;
      }
      sayLine(context, texts.notUnderstood);
    }
  }
  return { verdict: "answer", answers };
}
