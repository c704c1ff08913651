/** The command-line syntax of `ovld summon`. */
import { buildCommand } from "@stricli/core";
import { AGENT_NAMES } from "../../../army/words.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import { choicePlace } from "../../tree/choice.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { armyFlag, switchFlag, wordFlag } from "../../tree/flags.ts";

export function summonCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags } = texts;
  return buildCommand<Run.SummonFlags>({
    docs: describeCommand("summon", texts),
    parameters: {
      flags: {
        army: armyFlag(texts, context, load, "archived"),
        agent: { ...wordFlag("NAME", flags.agent), ...choicePlace(AGENT_NAMES) },
        resume: switchFlag(flags.resume),
        fresh: switchFlag(flags.fresh),
        detached: switchFlag(flags.detached),
        rituals: wordFlag("DIR", flags.rituals),
        noRituals: switchFlag(flags.noRituals),
        dryRun: switchFlag(flags.dryRun),
        json: switchFlag(flags.json),
      },
    },
    func: (given) => load<typeof Run>("summon").summon(context(), given),
  });
}
