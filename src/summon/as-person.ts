/** The seal on mail from the command line: mail is sealed as the person's, unless an agent has run the command. */
import type { Environment } from "../config/environment.ts";
import { sealKey } from "../mail/seal.ts";
import { readSecrets } from "../mail/secrets.ts";
import type { StoreOptions } from "../mail/store.ts";
import { findRunner } from "./surroundings.ts";

export function asPerson(env: Environment, relayDir: string): Pick<StoreOptions, "origin" | "sealing"> {
  const { isAgent, role } = findRunner(env);
  const origin = { program: "command", role } as const;
  if (isAgent) return { origin };
  return {
    origin,
    sealing: {
      keyFor(to) {
        const secret = readSecrets(relayDir)?.[to];
        return secret === undefined ? undefined : sealKey(secret, "human");
      },
    },
  };
}
