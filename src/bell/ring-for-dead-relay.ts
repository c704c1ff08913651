/** Rings a role whose own relay is dead by typing into its pane, as the source documents require of every sender. */
import { type ProcessIdentity, isProcessAlive, isSuspended } from "../system/process.ts";
import type { Sender } from "../army/roles.ts";
import type { Sighting } from "../agent/agent-state.ts";
import { linkOfArmy } from "../agent/agent-link.ts";
import type { Environment } from "../system/run-program.ts";
import type { Mail } from "../mail/mail.ts";
import { recordIn } from "../zellij/session-record.ts";
import type { RingForDeadRelay } from "./await-bell-outcome.ts";
import { ringByTyping } from "./ring-by-typing.ts";
import { writeTrigger } from "./trigger.ts";

/** No relay repeats this ring, so a sender that writes after this time rings again. */
const RINGS_AGAIN_AFTER_MS = 60_000;

export interface Substitute {
  /** Which sender rings, and from which process. */
  by: Sender;
  ringer: ProcessIdentity;
  session: string;
  relayDir: string;
  zellij: string;
  mail: Mail;
  env: Environment;
}

export function ringerForDeadRelay(substitute: Substitute): RingForDeadRelay {
  const { by, ringer, session, relayDir, zellij, mail, env } = substitute;
  return async (role, report) => {
    const relays = mail.presences().filter((each) => each.role === role);
    if (relays.some((each) => isProcessAlive(each.relay))) return "relay-lives";
    if (report.pane === undefined) return { held: "no-pane" };
    const { screen: agentScreen, sight } = linkOfArmy(mail);
    if (agentScreen === undefined) return { held: "no-composer" };
    if (isFresh(mail.flag(role))) return "already rung";
    const note = { by, ringer, way: "typing" } as const;
    if (!mail.raiseFlag(role, note)) mail.renewFlag(role, note);
    const ids = mail.unread(role, { handedOut: true });
    const trigger = writeTrigger(mail.headers(role, ids));
    const sighting = (): Sighting | undefined =>
      report.agent !== undefined && isProcessAlive(report.agent)
        ? sight?.(env, Number.parseInt(report.agent, 10))
        : undefined;
    const began = Date.now();
    try {
      const result = await ringByTyping(
        {
          zellij: { program: zellij, env, record: recordIn(relayDir) },
          session,
          role,
          pane: report.pane,
          agentScreen,
          memory: {},
          alone: (action) => mail.whileHolding(`typing-${role}`, AbortSignal.timeout(2_000), action),
          whyNot() {
            // A suspended agent reads nothing; the text would still be in its composer when it resumes.
            if (report.agent !== undefined && isSuspended(report.agent)) return "suspended";
            const seen = sighting()?.state;
            // No relay is left to ring the agent later.
            if (seen === "busy" || seen === "asking") return "relay-gone";
            return seen === "idle" ? undefined : "state-unknown";
          },
          hasBegun() {
            const seen = sighting();
            return seen?.state === "busy" && seen.at >= began;
          },
        },
        trigger,
      );
      if ("held" in result) mail.lowerFlag(role);
      else mail.note({ event: "rung", role, way: "typing", attempt: 1, ids });
      return result;
    } catch {
      mail.lowerFlag(role);
      return { held: "zellij-failed" };
    }
  };
}

function isFresh(flag: ReturnType<Mail["flag"]>): boolean {
  if (flag === undefined || flag === "unreadable") return false;
  // A flag dated in the future was raised before the clock was set back.
  const age = Date.now() - Date.parse(flag.at);
  return age >= 0 && age < RINGS_AGAIN_AFTER_MS;
}
