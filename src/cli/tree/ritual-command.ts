/** How `ovld ritual` is written on the command line. */
import { buildCommand } from "@stricli/core";
import { ROLES } from "../../army/roles.ts";
import { DEFAULT_SESSION } from "../../army/session-name.ts";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import type { RitualCommandFlags } from "../commands/ritual.ts";
import type { Machine } from "../machine.ts";

export function ritualCommand({ briefs, flags }: CliTexts, machine: () => Machine, load: LoadProgram) {
  return buildCommand<RitualCommandFlags, string[]>({
    docs: { brief: briefs.ritual },
    parameters: {
      flags: {
        session: {
          kind: "parsed",
          parse: String,
          default: DEFAULT_SESSION,
          placeholder: "NAME",
          brief: flags.session,
        },
      },
      positional: {
        kind: "array",
        parameter: { placeholder: "ROLE", brief: flags.ritualRoles(ROLES.join(", ")), parse: String },
      },
    },
    func: (given, ...roles) => load("ritual").ritual(machine(), given, roles),
  });
}
