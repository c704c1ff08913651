/** If a role has several live relays, only the eldest rings and reports. */
import { isProcessAlive, type ProcessIdentity } from "../system/process.ts";
import type { Role } from "../army/roles.ts";
import type { Presence } from "../mail/records/presence.ts";

export function isEldestRelay(
  presences: readonly Presence[],
  role: Role,
  relay: ProcessIdentity,
  isAlive: (identity: ProcessIdentity) => boolean = isProcessAlive,
): boolean {
  const own = presences.find((each) => each.relay === relay);
  const elders = presences.filter(
    (each) => each.role === role && each.relay !== relay && (!own || age(each) < age(own)),
  );
  return !elders.some((each) => isAlive(each.relay));
}

function age({ since = "", relay }: Presence): string {
  return `${since} ${relay}`;
}
