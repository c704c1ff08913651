/**
 * What an agent asks the person, and the person's answer, as they are stored. The same for every agent program: the
 * agent's relay translates its program's own format.
 */
import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { DESKS, REQUEST_ENDS } from "../../army/words.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { lazily } from "../../system/async.ts";
import { isMessageId } from "../store/message.ts";
import { processIdentity } from "./agent-report.ts";

/** What the agent wants to do. */
const action = lazily(() => {
  const path = z.string();
  /** Where the path really leads, if there are links in it. */
  const target = z.optional(z.string());
  return z.discriminatedUnion("what", [
    z.object({ what: z.literal("command"), command: z.string() }),
    /** Each part of the file is replaced: once, or wherever it occurs. */
    z.object({
      what: z.literal("edit"),
      path,
      target,
      changes: z.array(z.object({ before: z.string(), after: z.string(), everywhere: z.boolean() })),
    }),
    z.object({ what: z.literal("write"), path, target, content: z.string() }),
    /** Any other tool; everything it would be called with is in `rest`. */
    z.object({ what: z.literal("call"), target }),
  ]);
});

/** What the agent's own dialog offers to allow from now on. */
const suggestion = lazily(() => {
  const where = z.enum(["session", "local", "project", "user"]);
  return z.discriminatedUnion("what", [
    z.object({ what: z.literal("rules"), behavior: z.string(), rules: z.array(z.string()), where }),
    z.object({ what: z.literal("folders"), folders: z.array(z.string()), where }),
    z.object({ what: z.literal("mode"), mode: z.string(), where }),
    /** One that ovld does not know, as JSON. */
    z.object({ what: z.literal("other"), text: z.string() }),
  ]);
});

const question = lazily(() =>
  z.object({
    text: z.string(),
    header: z.string(),
    /** Whether several options may be chosen. */
    several: z.boolean(),
    /** `preview` shows what an option would look like, as several lines of text. */
    options: z.array(
      z.object({ label: z.string(), description: z.string(), preview: z.optional(z.string()) }),
    ),
  }),
);

export type Question = z.infer<ReturnType<typeof question>>;

const agentRequest = lazily(() => {
  const common = {
    id: z.string().check(z.refine(isMessageId)),
    role: z.enum(ROLES),
    since: z.iso.datetime(),
    /** The relay that waits for the answer, and its agent. */
    relay: processIdentity(),
    agent: z.optional(processIdentity()),
    /** The tool by the name that the person sees in the pane. */
    tool: z.pipe(z.string(), z.transform(cleanLine)),
  };
  /** Everything else in the tool's input, by its own names: nothing that is allowed may be hidden. */
  const rest = z.record(z.string(), z.unknown());
  const suggestions = z.array(suggestion());
  return z.discriminatedUnion("kind", [
    z.object({ ...common, kind: z.literal("permission"), action: action(), rest, suggestions }),
    z.object({ ...common, kind: z.literal("question"), questions: z.array(question()), rest }),
    z.object({ ...common, kind: z.literal("plan"), plan: z.string(), rest, suggestions }),
    z.object({ ...common, kind: z.literal("oversized"), bytes: z.int() }),
  ]);
});

export type AgentRequest = z.infer<ReturnType<typeof agentRequest>>;

type WithoutHead<Request> = Request extends unknown
  ? Omit<Request, "id" | "role" | "since" | "relay" | "agent">
  : never;

/** A request as its agent makes it, before the relay adds who asks, and when. */
export type Asked = WithoutHead<AgentRequest>;

/** How much a person may write in an answer. */
const MOST_ANSWER_CHARACTERS = 20_000;

const verdict = lazily(() => {
  const words = z.string().check(z.maxLength(MOST_ANSWER_CHARACTERS));
  const choice = z.int().check(z.nonnegative());
  return z.discriminatedUnion("verdict", [
    /** `suggestions` chooses from the request's own, by index: nothing that the dialog does not offer can be allowed. */
    z.object({ verdict: z.literal("allow"), suggestions: z.array(choice) }),
    /** The agent reads the reason. */
    z.object({ verdict: z.literal("deny"), reason: words }),
    /** For each question of the request, in order: the chosen options, by index, or the person's own words. */
    z.object({
      verdict: z.literal("answer"),
      answers: z.array(z.object({ chosen: z.array(choice), text: z.optional(words) })),
    }),
  ]);
});

export type Verdict = z.infer<ReturnType<typeof verdict>>;

export const requestAnswer = lazily(() =>
  z.object({
    id: z.string(),
    at: z.iso.datetime(),
    from: z.enum(DESKS),
    /** The digest of the request as it was shown to the person. */
    shown: z.string(),
    verdict: verdict(),
  }),
);

export type RequestAnswer = z.infer<ReturnType<typeof requestAnswer>>;

export const requestEnds = lazily(() =>
  z.array(
    z.object({
      id: z.string(),
      at: z.iso.datetime(),
      by: z.enum(REQUEST_ENDS),
      /** The id of the answer that the agent took. */
      answer: z.optional(z.string()),
    }),
  ),
);

export type RequestEnd = z.infer<ReturnType<typeof requestEnds>>[number];

export function parseRequest(value: unknown): AgentRequest | undefined {
  return agentRequest().safeParse(value).data;
}

export function parseVerdict(value: unknown): Verdict | undefined {
  return verdict().safeParse(value).data;
}
