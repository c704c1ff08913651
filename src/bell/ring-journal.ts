/** What the journal says about one role's rings and failed turns. */
import type { HookCall } from "../agent/hook-call.ts";
import type { Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import type { Ring } from "./ring-attempt.ts";
import type { ReadMessage } from "./unfinished.ts";

export interface RingJournal {
  /** Writes each ring once: a turn may be seen to begin before the way of ringing has reported success. */
  rung(ring: Ring): void;
  begun(ring: Ring): void;
  /** `owed`: what the agent read in failed turns. */
  failed(call: Pick<HookCall, "failure">, owed: readonly ReadMessage[]): void;
}

export function keepRingJournal(role: Role, mail: Pick<Mail, "note">): RingJournal {
  const journal: RingJournal = {
    rung(ring) {
      const { way, attempt, ids } = ring;
      if (!ring.noted) mail.note({ event: "rung", role, way, attempt, ids });
      ring.noted = true;
    },
    begun(ring) {
      ring.begun = true;
      journal.rung(ring);
      mail.note({ event: "begun", role, way: ring.way, ids: ring.ids });
    },
    failed({ failure }, owed) {
      mail.note({ event: "failed", role, error: failure?.error ?? "unknown", ids: owed.map(({ id }) => id) });
    },
  };
  return journal;
}
