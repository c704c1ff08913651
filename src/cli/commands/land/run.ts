/** `ovld land`: brings what the army has landed into the person's own branch. */
import { EXIT } from "../../../army/errors.ts";
import { sayAnswer, type CommandContext } from "../../../command/command-context.ts";
import type { MessageDraft } from "../../../mail/store/message.ts";
import { requirePerson } from "../../../person/find-runner.ts";
import { tellAgents, workOfArmy, type ArmyWork } from "../../../person/work-of-army.ts";
import { cleanText } from "../../../system/clean-text.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { bringHome } from "../../../work/home.ts";
import { landReady, type LandingNews } from "../../../work/land.ts";
import { findAhead } from "../../../work/target.ts";
import { mailAbout } from "../../../work/tell.ts";
import { targetOf } from "../../../work/work.ts";

export interface LandFlags {
  /** Only says whether it would work. */
  dryRun: boolean;
  /** First lands what is ready, as a relay would. */
  now: boolean;
  army?: string;
  json: boolean;
}

export async function land(context: CommandContext, flags: LandFlags): Promise<number> {
  requirePerson(context.env, "ovld land");
  const { stop } = context;
  let army: ArmyWork;
  try {
    army = workOfArmy(context, flags.army);
  } catch (error) {
    const report = error instanceof OvldError ? error.report : undefined;
    if (report?.code !== "no-army") throw error;
    // It has ended, and its branch is still there.
    const ahead = await findAhead({ folder: context.cwd, env: context.env }, targetOf(report.facts.session));
    if (ahead !== undefined) context.print("stderr", `${context.texts.work.ahead(ahead)}\n`);
    throw error;
  }
  const { work, mail } = army;
  const tell = (news: LandingNews): void => {
    const drafts: MessageDraft[] = mailAbout(work, news);
    if ("red" in news) {
      const words = context.texts.work.redTarget(work.target, news.red);
      context.print("stderr", `${words.subject}\n${cleanText(words.body)}\n`);
      drafts.push({ from: "ovld", to: "overlord", ...words, priority: "normal" });
    }
    tellAgents(context, mail, drafts);
  };
  if (flags.now) await landReady(work, { stop, tell, again: true });
  const result = await bringHome(work, { stop, dry: flags.dryRun });
  sayAnswer(context, { target: work.target, ...result }, [
    context.texts.work.home(result, work.target, flags.dryRun),
  ]);
  return result.is === "refused" ? EXIT.conflict : EXIT.done;
}
