/** The work of an existing army that has trees, and what the person and agents do with its tasks alike. */
import { join } from "node:path";
import type { Sender } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import { formatError } from "../i18n/sentences.ts";
import type { MessageDraft } from "../mail/store/message.ts";
import { WORK_FOLDER } from "../mail/store/paths.ts";
import type { ArmyMail } from "../summon/army.ts";
import { cleanText } from "../system/clean-text.ts";
import { OvldError } from "../system/ovld-error.ts";
import { dropTask, returnTask } from "../work/tasks.ts";
import { aboutDropped, deliverHere, mailAbout } from "../work/tell.ts";
import { openWork, type Work } from "../work/work.ts";
import { mailOfArmy } from "./find-runner.ts";

export interface ArmyWork extends ArmyMail {
  work: Work;
}

export function workOfArmy(context: CommandContext, asked: string | undefined): ArmyWork {
  return withWork(context, mailOfArmy(context, asked));
}

export function withWork<Army extends ArmyMail>(context: CommandContext, army: Army): Army & ArmyWork {
  const work = openWork(join(army.relayDir, WORK_FOLDER), context.env);
  if (work === undefined)
    throw new OvldError({ code: "army-without-trees", facts: { session: army.session } });
  return { ...army, work };
}

/** Whoever has a full inbox must not keep the others' work from landing. */
export function tellAgents(context: CommandContext, mail: ArmyWork["mail"], drafts: MessageDraft[]): void {
  deliverHere(mail, drafts, (error) => {
    if (!(error instanceof OvldError)) throw error;
    context.print("stderr", `${formatError(error.report, context.texts)}\n`);
  });
}

/** Sends a task back to its owner with words, which come by mail. */
export function sendBack({ work, mail }: ArmyWork, id: string, by: Sender, words: string): void {
  const said = cleanText(words);
  const returned = returnTask(work, id, by, said);
  const outcome = { is: "words", by, said } as const;
  deliverHere(mail, mailAbout(work, { returned, outcome, times: work.board.countTries(id) }));
}

/** Whoever works on it hears of it. */
export async function drop({ work, mail }: ArmyWork, id: string, by: Sender): Promise<void> {
  const place = work.board.find(id);
  await dropTask(work, id);
  deliverHere(mail, aboutDropped(work, place, by));
}
