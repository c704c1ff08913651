/** The command-line syntax of `ovld summon`. */
import { buildCommand } from "@stricli/core";
import { AGENT_NAMES } from "../../../army/words.ts";
import type { SummonFlags } from "../../../summon/check-summon.ts";
import type * as Run from "./run.ts";
import { choicePlace, switchFlag, wordFlag, type Syntax } from "../../syntax.ts";

export function summonCommand({ docs, flags, armyFlag, context, load }: Syntax) {
  return buildCommand<SummonFlags>({
    docs: docs("summon"),
    parameters: {
      flags: {
        army: armyFlag("archived"),
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
