/** How `ovld practice` is written on the command line. */
import { buildCommand } from "@stricli/core";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import type { PracticeFlags } from "../commands/practice.ts";
import type { Machine } from "../machine.ts";
import { sessionFlag, switchFlag } from "./flags.ts";

export function practiceCommand(
  { briefs, flags, places }: CliTexts,
  machine: () => Machine,
  load: LoadProgram,
) {
  return buildCommand<PracticeFlags, [string?]>({
    docs: { brief: briefs.practice },
    parameters: {
      flags: { session: sessionFlag(flags.session), json: switchFlag(flags.json) },
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "WISH", brief: places.wish, parse: String, optional: true }],
      },
    },
    func: (given, wish) => load("practice").practice(machine(), given, wish),
  });
}
