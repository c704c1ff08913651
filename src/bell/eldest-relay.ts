/** If a role has several live relays, only the eldest rings and reports. */
import type { ProcessIdentity } from "../system/process-identity.ts";
import type { Role } from "../army/roles.ts";
import type { Presence } from "../mail/presence.ts";

/** `isRelay` checks the process itself, so that a file naming some other process cannot silence this relay. */
export function isEldestRelay(
  presences: readonly Presence[],
  role: Role,
  relay: ProcessIdentity,
  isRelay: (identity: ProcessIdentity, of: Role) => boolean,
): boolean {
  const own = presences.find((each) => each.relay === relay);
  const elders = presences.filter(
    (each) => each.role === role && each.relay !== relay && (!own || age(each) < age(own)),
  );
  return !elders.some((each) => isRelay(each.relay, role));
}

function age({ since = "", relay }: Presence): string {
  return `${since} ${relay}`;
}
