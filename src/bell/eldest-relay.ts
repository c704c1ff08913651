/** Of several relays of one role the eldest that lives rings, and tells. */
import type { Role } from "../army/roles.ts";
import type { Presence } from "../mail/presence.ts";
import { isProcessAlive } from "../system/process-identity.ts";

export function isEldestRelay(presences: readonly Presence[], role: Role, relay: string): boolean {
  const rivals = presences.filter((each) => each.role === role && isProcessAlive(each.relay));
  const [eldest] = rivals.toSorted((one, other) => age(one).localeCompare(age(other)));
  return eldest === undefined || eldest.relay === relay;
}

function age({ since = "", relay }: Presence): string {
  return `${since} ${relay}`;
}
