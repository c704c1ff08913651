/** `ovld answer`: shows what agents ask the person, and takes the person's answers. */
import type { Role } from "../../../army/roles.ts";
import { EXIT } from "../../../command/exit-code.ts";
import { openRequestBox, type StoredRequest } from "../../../mail/request-box.ts";
import { answerRequest, type AnswerOutcome } from "../../../requests/answer-request.ts";
import { findRequest } from "../../../requests/open-requests.ts";
import { asPerson } from "../../../summon/as-person.ts";
import { mailOfArmy } from "../../../summon/mail-of-army.ts";
import { requirePerson } from "../../../summon/require-person.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { sessionFlag } from "../../../view/way-to.ts";
import { runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { askForAll, lookOf, outcomeOf, requestsOf, tellOutcome, type Asking } from "./ask-for-all.ts";
import { printRequest } from "./print-request.ts";
import { readVerdict } from "./read-verdict.ts";

export interface AnswerFlags {
  why?: string;
  choose?: readonly string[];
  text?: string;
  request?: string;
  session?: string;
  json: boolean;
}

export function answer(
  context: CommandContext,
  flags: AnswerFlags,
  role?: Role,
  verdict?: "allow" | "deny",
): Promise<void> {
  return runCommand(context, async () => {
    requirePerson(context.env, "ovld answer");
    const { session, relayDir } = mailOfArmy(context, flags.session);
    const asking = { session, relayDir, box: openRequestBox(relayDir, asPerson(context.env, relayDir)) };
    const { why, choose = [], text } = flags;
    const given = verdict !== undefined || choose.length > 0 || text !== undefined;
    if (given || why !== undefined) {
      if (role === undefined) throw new OvldError({ code: "answer-whom", facts: {} });
      return answerOne(context, flags, asking, role, { verdict, why, choose, text });
    }
    if (context.hasTerminal && !flags.json) return (await askForAll(context, asking, role)).exitCode;
    return list(context, flags, asking, role);
  });
}

function list(context: CommandContext, flags: AnswerFlags, asking: Asking, role: Role | undefined): number {
  const open = requestsOf(asking, role).map(({ request }) => request);
  const { answer: texts } = context.texts;
  if (flags.json) sayJson(context, { session: asking.session, requests: open });
  else if (open.length === 0) sayLine(context, role === undefined ? texts.nothing : texts.noneOf(role));
  else {
    for (const request of open) {
      const command = `ovld answer ${request.role} --request ${request.id}${sessionFlag(asking.session)}`;
      context.print("stdout", printRequest(request, lookOf(context)));
      sayLine(context, `${request.kind === "oversized" ? "" : texts.how(command)}\n`);
    }
  }
  return EXIT.done;
}

async function answerOne(
  context: CommandContext,
  flags: AnswerFlags,
  asking: Asking,
  role: Role,
  given: Parameters<typeof readVerdict>[1],
): Promise<number> {
  const ended = flags.request === undefined ? undefined : asking.box.endOf(role, flags.request);
  if (ended !== undefined) return report(context, flags, asking, { role, id: ended.id }, outcomeOf(ended));
  const stored = chooseRequest(asking, role, flags.request);
  const { request } = stored;
  const verdict = readVerdict(request, given);
  if (verdict === undefined) return list(context, flags, asking, role);
  if (flags.request === undefined && verdict.verdict !== "deny") requireSeen(context, stored);
  if (!flags.json) context.print("stdout", printRequest(request, lookOf(context)));
  const outcome = await answerRequest(asking.box, stored, { from: "terminal", verdict });
  return report(context, flags, asking, request, outcome);
}

function report(
  context: CommandContext,
  { json }: AnswerFlags,
  { session }: Asking,
  { role, id }: { role: Role; id: string },
  outcome: AnswerOutcome,
): number {
  if (json) sayJson(context, { session, role, request: id, ...outcome });
  else sayLine(context, tellOutcome(context, role, outcome));
  return EXIT_OF[outcome.outcome];
}

const EXIT_OF: Record<AnswerOutcome["outcome"], number> = {
  taken: EXIT.done,
  already: EXIT.conflict,
  gone: EXIT.failed,
  unconfirmed: EXIT.failed,
};

/** The one request that is meant. */
function chooseRequest(asking: Asking, role: Role, asked: string | undefined): StoredRequest {
  const { box, relayDir } = asking;
  const open = requestsOf(asking, role);
  const named = asked === undefined ? undefined : findRequest(box, relayDir, { role, id: asked });
  const [first, ...others] = asked === undefined ? open : [named];
  if (first === undefined) throw new OvldError({ code: "no-request", facts: { role } });
  if (others.length === 0) return first;
  throw new OvldError({
    code: "several-requests",
    facts: { role, ids: open.map(({ request }) => request.id) },
  });
}

/** Nobody reads a request and answers it faster than that: what the person has seen was an earlier one. */
const SEEN_AFTER_MS = 2_000;

function requireSeen(context: CommandContext, { request: { id, role, since } }: StoredRequest): void {
  if (context.now() - Date.parse(since) >= SEEN_AFTER_MS) return;
  throw new OvldError({ code: "request-just-asked", facts: { role, id } });
}
