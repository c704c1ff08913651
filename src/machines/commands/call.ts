/** The command-line syntax of `ovld hub`. */
import { ROLES } from "../../army/roles.ts";
import { actions, switchFlag, wordFlag, type Syntax } from "../../cli/syntax.ts";
import type * as Hub from "./hub.ts";

const ACTIONS = ["start", "status", "stop", "doctor", "service", "requirements", "invite", "join", "revoke"];

export function machineCommands({ flags, command, armyFlag, load }: Syntax) {
  const json = switchFlag(flags.json);
  return {
    hub: command("hub", () => load<typeof Hub>("hub").hub, {
      flags: {
        army: armyFlag("all"),
        listen: wordFlag("ADDRESS", flags.listen),
        tls: switchFlag(flags.tls),
        tlsCert: wordFlag("FILE", flags.tlsCert),
        tlsKey: wordFlag("FILE", flags.tlsKey),
        tlsCa: wordFlag("FILE", flags.tlsCa),
        machine: wordFlag("NAME", flags.machine),
        valid: wordFlag("TIME", flags.valid),
        address: wordFlag("ADDRESS", flags.address),
        json,
      },
      positional: actions(() => [...ACTIONS, ...ROLES]),
    }),
  };
}
