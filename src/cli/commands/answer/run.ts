/** `ovld answer`: shows what agents ask the person, and takes the person's answers. */
import type { Role } from "../../../army/roles.ts";
import { confirm } from "../../../command/confirm.ts";
import { EXIT, runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { openRequestBox, type StoredRequest, findRequest } from "../../../requests/request-box.ts";
import { answerRequest, type AnswerOutcome } from "../../../requests/answer-request.ts";
import { mailOfArmy } from "../../../person/mail-of-army.ts";
import { requirePerson } from "../../../person/find-runner.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { formatArmyFlag } from "../../../view/need.ts";
import { askForAll, lookOf, outcomeOf, requestsOf, tellOutcome, type Asking } from "./ask-for-all.ts";
import { printRequest } from "./print-request.ts";
import { readVerdict } from "./read-verdict.ts";

export interface AnswerFlags {
  why?: string;
  choose?: readonly string[];
  text?: string;
  request?: string;
  army?: string;
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
    const { session, relayDir } = mailOfArmy(context, flags.army);
    const asking = { session, relayDir, box: openRequestBox(relayDir) };
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
  const open = requestsOf(asking, role);
  const { answer: texts } = context.texts;
  const named = open.map((stored) => ({ ...stored.request, name: nameOf(stored) }));
  if (flags.json) sayJson(context, { session: asking.session, requests: named });
  else if (open.length === 0) sayLine(context, role === undefined ? texts.nothing : texts.noneOf(role));
  else {
    for (const request of named) {
      const command = `ovld answer ${request.role} --request ${request.name}${formatArmyFlag(asking.session)}`;
      context.print("stdout", printRequest(request, lookOf(context, asking)));
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
  const [id, shown = ""] = flags.request?.split(":") ?? [];
  const ended = id === undefined ? undefined : asking.box.endOf(role, id);
  if (ended !== undefined) return report(context, flags, asking, { role, id: ended.id }, outcomeOf(ended));
  const stored = chooseRequest(asking, role, id);
  if (!stored.digest.startsWith(shown)) throw new OvldError({ code: "no-request", facts: { role } });
  const { request } = stored;
  const verdict = readVerdict(request, given);
  if (verdict === undefined) return list(context, flags, asking, role);
  // Without its name, whatever is open now would be allowed, perhaps something that the person has not seen.
  const isUnseen = id === undefined && verdict.verdict !== "deny";
  const canAsk = context.hasTerminal && !flags.json;
  if (isUnseen && !canAsk) throw new OvldError({ code: "request-unnamed", facts: { role } });
  if (!flags.json) context.print("stdout", printRequest(request, lookOf(context, asking)));
  if (isUnseen && !(await confirm(context, context.texts.answer.askToAnswer))) return EXIT.done;
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

/** What `--request` takes: the id, and the beginning of the digest of what is shown. */
function nameOf({ request, digest }: StoredRequest): string {
  return `${request.id}:${digest.slice(0, 8)}`;
}

const EXIT_OF: Record<AnswerOutcome["outcome"], number> = {
  taken: EXIT.done,
  already: EXIT.conflict,
  gone: EXIT.failed,
  unconfirmed: EXIT.failed,
};

/** The one request that is meant. */
function chooseRequest(asking: Asking, role: Role, asked: string | undefined): StoredRequest {
  const { box } = asking;
  const open = requestsOf(asking, role);
  const named = asked === undefined ? undefined : findRequest(box, { role, id: asked });
  const [first, ...others] = asked === undefined ? open : [named];
  if (first === undefined) throw new OvldError({ code: "no-request", facts: { role } });
  if (others.length === 0) return first;
  throw new OvldError({
    code: "several-requests",
    facts: { role, ids: open.map(nameOf) },
  });
}
