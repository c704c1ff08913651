/** A tool of the relay: its name, a description that teaches a model to use it, its arguments, and what it does. */
import type * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import type { BellOutcome } from "../../bell/await-bell-outcome.ts";
import type { Texts } from "../../i18n/texts.ts";
import type { Mail } from "../../mail/mail.ts";
import type { Message } from "../../mail/store/message.ts";
import type { Post } from "../../mail/post.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { AnswerDelivery, Fate } from "../answer-delivery.ts";
import { tellProblems } from "./argument-problems.ts";

/** What a tool works with: the role, and the services it can use. */
export interface ToolContext {
  role: Role;
  mail: Mail;
  /** Whether a role is on this machine. */
  isHere: (role: Role) => boolean;
  /** Delivers mail to any role, wherever it is. */
  post: Post;
  /** Waits for what the sender should know about the recipient's bell. */
  awaitBellOutcome: (message: Message) => Promise<BellOutcome>;
  /** English, because a model reads them. Loaded only when something has to be explained. */
  texts: () => Texts;
  delivery: Pick<AnswerDelivery, "confirmAll">;
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
  /** What to do when the client has the answer, or discards it. */
  fate?: Fate;
}

export interface Tool {
  name: string;
  description: string;
  input: z.ZodMiniObject;
  /** Hints for the client; the model does not see them. */
  meta?: Record<string, unknown>;
  call: (context: ToolContext, input: unknown) => Promise<Answer>;
}

export interface ToolDefinition<Input extends z.ZodMiniObject> extends Omit<Tool, "input" | "call"> {
  input: Input;
  run: (context: ToolContext, input: z.infer<Input>) => Answer | Promise<Answer>;
}

export function defineTool<Input extends z.ZodMiniObject>(definition: ToolDefinition<Input>): Tool {
  const { run, ...tool } = definition;
  return {
    ...tool,
    async call(context, input) {
      const parsed = tool.input.safeParse(input);
      if (parsed.success) return run(context, parsed.data);
      const problems = tellProblems(parsed.error, input);
      throw new OvldError({ code: "wrong-arguments", facts: { tool: tool.name, problems } });
    },
  };
}
