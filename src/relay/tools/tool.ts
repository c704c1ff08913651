/** A tool of the relay: its name, a description that teaches a model to use it, its arguments, and what it does. */
import type * as z from "zod/mini";
import type { OrderOfCommand } from "../../army/command.ts";
import type { Role } from "../../army/roles.ts";
import type { Brake } from "../../bell/brake.ts";
import type { BellOutcome } from "../../bell/await-bell-outcome.ts";
import { formatError } from "../../i18n/sentences.ts";
import type { Texts } from "../../i18n/texts.ts";
import type { Mail } from "../../mail/mail.ts";
import type { Message } from "../../mail/store/message.ts";
import type { Post } from "../../mail/other-machines.ts";
import { cleanLine, shorten } from "../../system/clean-text.ts";
import { formatOnOneLine } from "../../system/json.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import type { AnswerDelivery } from "../answer-delivery.ts";
import type { Call } from "../protocol.ts";
import { tryTo } from "../../system/file-error.ts";

export interface ToolContext {
  role: Role;
  mail: Mail;
  isHere: (role: Role) => boolean;
  /** The tasks that a role has in hand, each with its state. */
  tasksOf?: (role: Role) => string[];
  order?: OrderOfCommand | undefined;
  /** Delivers mail to any role, wherever it is. */
  post: Post;
  /** Waits for what the sender should know about the recipient's bell. */
  awaitBellOutcome: (message: Message) => Promise<BellOutcome>;
  /** English, because a model reads them. Loaded only when something has to be explained. */
  texts: () => Texts;
  delivery: Pick<AnswerDelivery, "confirmAll">;
  /** What the next message to an agent says about its talk; undefined if nothing tells mail from work. */
  nextTalk?: (() => ReturnType<Brake["next"]>) | undefined;
  /** Called when the agent has asked for its mail, with the messages it receives. */
  onAsked: (messages: readonly Message[]) => void;
}

export interface Answer {
  /** Printed as JSON for the model to read. */
  content: unknown;
  /** A sentence after the content, if something has to be said about the answer itself. */
  remark?: string | undefined;
  /** For programs that use the relay; the model does not see it. */
  meta?: Record<string, unknown>;
  failed?: boolean;
}

export interface Tool {
  name: string;
  description: string;
  input: z.ZodMiniObject;
  /** Hints for the client; the model does not see them. */
  meta?: Record<string, unknown>;
  call: (context: ToolContext, input: object, call: Call) => Promise<Answer>;
}

interface ToolDefinition<Input extends z.ZodMiniObject> extends Omit<Tool, "input" | "call"> {
  input: Input;
  run: (context: ToolContext, input: z.infer<Input>, call: Call) => Answer | Promise<Answer>;
}

export function defineTool<Input extends z.ZodMiniObject>(definition: ToolDefinition<Input>): Tool {
  const { run, ...tool } = definition;
  return {
    ...tool,
    async call(context, input, call) {
      const parsed = tool.input.safeParse(input, { reportInput: true });
      if (parsed.success) return run(context, parsed.data, call);
      const problems = parsed.error.issues.map(describeProblem);
      throw new OvldError({ code: "wrong-arguments", facts: { tool: tool.name, problems } });
    },
  };
}

/** Which argument is wrong, and what would be right. */
function describeProblem(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `unknown argument ${issue.keys.map(echo).join(", ")}`;
  const field = issue.path.join(".") || "arguments";
  const choices = issue.code === "invalid_value" ? `, must be one of ${issue.values.join(", ")}` : "";
  if (issue.input === undefined && issue.path.length > 0) return `${field} is missing${choices}`;
  if (issue.code === "invalid_value") return `${field} is ${echo(issue.input)}${choices}`;
  if (issue.code === "invalid_type") {
    return `${field} must be ${issue.expected === "object" ? "an object" : `a ${issue.expected}`}`;
  }
  return `${field} ${issue.message}`;
}

const LONGEST_ECHO = 60;

function echo(value: unknown): string {
  const text = cleanLine(typeof value === "string" ? value : JSON.stringify(value));
  return `"${shorten(text, LONGEST_ECHO)}"`;
}

type LoadTexts = () => Pick<Texts, "errors" | "holds">;

/**
 * A sentence for the model that called a tool. The texts are loaded late, and ovld may have been moved or updated since
 * the relay started. Then the code takes the place of the sentence: a message that was stored must not look lost.
 */
export function explainError(report: ErrorReport, texts: LoadTexts): string {
  return tryTo(() => formatError(report, texts())) ?? `${report.code} ${formatOnOneLine(report.facts)}`;
}

export function explainHold(reason: keyof Texts["holds"], texts: LoadTexts): string {
  return tryTo(() => texts().holds[reason]) ?? reason;
}
