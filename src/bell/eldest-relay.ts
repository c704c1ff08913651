/** Of several relays of one role the eldest that lives rings, and tells. */
import type { ProcessIdentity } from "../system/process-identity.ts";
import type { Role } from "../army/roles.ts";
import type { Presence } from "../mail/presence.ts";

/** `isRelay` looks at the process itself: a note that names any other must not silence this relay. */
export function isEldestRelay(
  presences: readonly Presence[],
  role: Role,
  relay: ProcessIdentity,
  isRelay: (identity: ProcessIdentity) => boolean,
): boolean {
  const own = presences.find((each) => each.relay === relay);
  const elders = presences.filter(
    (each) => each.role === role && each.relay !== relay && (!own || age(each) < age(own)),
  );
  return !elders.some((each) => isRelay(each.relay));
}

function age({ since = "", relay }: Presence): string {
  return `${since} ${relay}`;
}
