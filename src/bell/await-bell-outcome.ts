/**
 * The sender's side of a bell: waits until the recipient has been rung or not, and returns the outcome. The recipient's
 * own relay rings; the sender rings only if that relay is dead, as the source documents require of every sender.
 *
 * The states have the same names everywhere: `stored`, `rung`, `begun`, `read`. A message counts as rung only after a
 * way of ringing has reported success.
 */
import { linkOfArmy } from "../agent/agent-link.ts";
import type { Sighting } from "../agent/agent-state.ts";
import type { Role, Sender } from "../army/roles.ts";
import type { HoldReason, Way } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import type { Message } from "../mail/store/message.ts";
import { pause } from "../system/async.ts";
import { isProcessAlive, type ProcessIdentity } from "../system/process.ts";
import type { Environment } from "../system/run-program.ts";
import { recordIn } from "../zellij/session-record.ts";
import type { RingResult } from "./ring-attempt.ts";
import { ringByTyping, whyNotTyped } from "./ring-by-typing.ts";
import { writeTrigger } from "./trigger.ts";

export type BellOutcome =
  /** The recipient was rung just now; by the sender if the recipient's relay is dead. */
  | { state: "rung"; way: Way; by?: "sender" }
  /** The recipient was rung for earlier mail and has not read it yet; one bell is enough. */
  | { state: "already rung" }
  /** The recipient was not rung; the mail waits in its inbox. */
  | { state: "held"; reason: HoldReason }
  /** It is unknown whether the recipient heard the bell. */
  | { state: "unknown"; why: string };

export type RingForDeadRelay = ReturnType<typeof ringerForDeadRelay>;

const OUTCOME_WITHIN_MS = 1_000;
const SLOWEST_LOOK_FOR_OUTCOME_MS = 10;

/** `ringForDeadRelay` is undefined where there is no pane to type into. */
export async function awaitBellOutcome(
  mail: Pick<Mail, "agentReport">,
  message: Message,
  ringForDeadRelay: RingForDeadRelay | undefined,
): Promise<BellOutcome> {
  // Nobody rings the person.
  if (message.to === "human") return { state: "already rung" };
  const until = performance.now() + OUTCOME_WITHIN_MS;
  for (let lookAfterMs = 1; ; lookAfterMs = Math.min(2 * lookAfterMs, SLOWEST_LOOK_FOR_OUTCOME_MS)) {
    const report = mail.agentReport(message.to);
    // No relay has started for this role yet; the first one will find the mail.
    if (report === undefined) return { state: "held", reason: "starting" };
    const { bell, heard = "" } = report;
    if (report.state === "gone") {
      const rung = (await ringForDeadRelay?.(message.to, report)) ?? { held: "agent-gone" };
      if (rung === "already rung") return { state: rung };
      if (rung !== "relay-lives")
        return "held" in rung
          ? { state: "held", reason: rung.held }
          : { state: "rung", way: "typing", by: "sender" };
    } else if (heard >= message.id) return describeBell(bell, message);
    // The recipient already holds mail, and another normal message does not change the reason.
    else if (bell.state === "held" && message.priority === "normal") return describeBell(bell, message);
    if (performance.now() > until)
      return { state: "unknown", why: "its relay has not said yet; the mail is safe" };
    await pause(lookAfterMs);
  }
}

function describeBell(bell: BellReport, { timestamp }: Message): BellOutcome {
  switch (bell.state) {
    case "held":
      return { state: "held", reason: bell.why };
    case "rung":
    case "begun":
      return bell.at < timestamp ? { state: "already rung" } : { state: "rung", way: bell.way };
    case "unanswered":
      return { state: "unknown", why: "it was rung before and has not answered; the mail is safe" };
    case "quiet":
      // The recipient read the mail in the meantime.
      return { state: "already rung" };
  }
}

/** No relay repeats this ring, so a sender that writes after this time rings again. */
const RINGS_AGAIN_AFTER_MS = 60_000;

interface Substitute {
  /** Which sender rings, and from which process. */
  by: Sender;
  ringer: ProcessIdentity;
  session: string;
  relayDir: string;
  zellij: string;
  mail: Mail;
  env: Environment;
  /** Then nobody is woken before the person decides. */
  isBudgetReached: (role: Role) => boolean;
}

/** Returns a function that rings a role by typing; if the role's relay is alive after all, that relay rings by itself. */
export function ringerForDeadRelay(substitute: Substitute) {
  const { by, ringer, session, relayDir, zellij, mail, env, isBudgetReached } = substitute;
  return async (role: Role, report: AgentReport): Promise<RingResult | "already rung" | "relay-lives"> => {
    const relays = mail.presences().filter((each) => each.role === role);
    if (relays.some((each) => isProcessAlive(each.relay))) return "relay-lives";
    if (isBudgetReached(role)) return { held: "budget" };
    if (report.pane === undefined) return { held: "no-pane" };
    const { screen: agentScreen, readState } = linkOfArmy(mail);
    if (agentScreen === undefined) return { held: "no-composer" };
    if (isFresh(mail.flag(role))) return "already rung";
    const note = { by, ringer, way: "typing" } as const;
    if (!mail.raiseFlag(role, note)) mail.renewFlag(role, note);
    const ids = mail.unread(role, { handedOut: true });
    const trigger = writeTrigger(mail.headers(role, ids));
    const sighting = (): Sighting | undefined =>
      report.agent !== undefined && isProcessAlive(report.agent)
        ? readState?.(env, Number.parseInt(report.agent, 10))
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
            const why = whyNotTyped(report.agent, sighting()?.state ?? "unknown");
            // No relay is left to ring the agent later.
            return why === "busy" || why === "asking" ? "relay-gone" : why;
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
