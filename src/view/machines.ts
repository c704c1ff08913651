/** An army on several machines, as this machine knows it. Reads only local files, so it does not wait for the hub. */
import { ROLES, type Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";

interface MachineView {
  machine: string;
  roles: Role[];
  /** When it was last heard of, by this machine's clock; null for this machine. */
  heard: string | null;
  /** Nothing has been heard of it for a while. */
  isSilent: boolean;
}

export type MachinesView = NonNullable<ReturnType<typeof describeMachines>>;

/** Null for an army on one machine. */
export function describeMachines(mail: Mail) {
  const { machine: here, roles = [] } = mail.army() ?? {};
  if (here === undefined) return null;
  const own = ROLES.filter((role) => roles.includes(role));
  const machines: MachineView[] = [{ machine: here, roles: own, heard: null, isSilent: false }];
  const unheard: Role[] = [];
  for (const role of ROLES.filter((each) => !own.includes(each))) {
    const away = mail.away(role);
    const known = machines.find(({ machine, heard }) => machine === away?.machine && heard !== null);
    if (away === undefined) unheard.push(role);
    else if (known === undefined) {
      const { machine, heard, isSilent = false } = away;
      machines.push({ machine, roles: [role], heard, isSilent });
    } else {
      known.roles.push(role);
      known.isSilent &&= away.isSilent === true;
      if (known.heard !== null && away.heard > known.heard) known.heard = away.heard;
    }
  }
  return {
    /** This machine's name. */
    here,
    machines,
    unheard,
    /** Whether the hub can be reached, and since when; null if no relay has said so yet. */
    hub: mail.connection() ?? null,
    /** What waits on this machine for the hub, by sender. */
    outbox: mail.outbox(),
  };
}
