/**
 * Waits, on the sender's side, until the recipient has been rung or not, and returns the outcome. The recipient's own
 * relay rings; the sender rings only if that relay is dead.
 *
 * The states have the same names everywhere: `stored`, `rung`, `begun`, `read`. A message counts as rung only after a
 * way of ringing has reported success.
 */
import type { RingResult } from "./ring-attempt.ts";
import type { Role } from "../army/roles.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import type { HoldReason, Way } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { Message } from "../mail/store/message.ts";
import { pause } from "../system/async.ts";

export type BellOutcome =
  /** The recipient was rung just now; by the sender if the recipient's relay is dead. */
  | { state: "rung"; way: Way; by?: "sender" }
  /** The recipient was rung for earlier mail and has not read it yet; one bell is enough. */
  | { state: "already rung" }
  /** The recipient was not rung; the mail waits in its inbox. */
  | { state: "held"; reason: HoldReason }
  /** It is unknown whether the recipient heard the bell. */
  | { state: "unknown"; why: string };

/** Rings a role whose relay is dead; if that relay is alive after all, the relay rings by itself. */
export type RingForDeadRelay = (
  to: Role,
  report: AgentReport,
) => Promise<RingResult | "already rung" | "relay-lives">;

const OUTCOME_WITHIN_MS = 1_000;
const SLOWEST_LOOK_FOR_OUTCOME_MS = 10;

/** `ringForDeadRelay` is undefined where there is no pane to type into. */
export async function awaitBellOutcome(
  mail: Pick<Mail, "agentReport">,
  message: Message,
  ringForDeadRelay: RingForDeadRelay | undefined,
): Promise<BellOutcome> {
  let lookAfterMs = 1;
  const until = performance.now() + OUTCOME_WITHIN_MS;
  for (;;) {
    const report = mail.agentReport(message.to);
    // No relay has started for this role yet; the first one will find the mail.
    if (report === undefined) return held("starting");
    if (report.state === "gone") {
      const outcome = ringForDeadRelay ? await ringForDeadRelay(message.to, report) : NOBODY_RINGS;
      if (outcome !== "relay-lives") return tellOurRing(outcome);
    } else if (report.heard !== undefined && report.heard >= message.id) {
      return tell(report.bell, message);
    } else if (isForeseeable(report.bell, message)) return held(report.bell.why);
    if (performance.now() > until)
      return { state: "unknown", why: "its relay has not said yet; the mail is safe" };
    await pause(lookAfterMs);
    lookAfterMs = Math.min(2 * lookAfterMs, SLOWEST_LOOK_FOR_OUTCOME_MS);
  }
}

const NOBODY_RINGS: RingResult = { held: "agent-gone" };

function tellOurRing(outcome: RingResult | "already rung"): BellOutcome {
  if (outcome === "already rung") return { state: outcome };
  return "held" in outcome ? held(outcome.held) : { state: "rung", way: "typing", by: "sender" };
}

/**
 * The recipient already holds mail, and another normal message does not change the reason, so the sender need not
 * wait.
 */
function isForeseeable(bell: BellReport, { priority }: Message): bell is BellReport & { state: "held" } {
  return bell.state === "held" && priority === "normal";
}

function tell(report: BellReport, message: Message): BellOutcome {
  switch (report.state) {
    case "held":
      return held(report.why);
    case "rung":
    case "begun":
      return report.at < message.timestamp ? { state: "already rung" } : { state: "rung", way: report.way };
    case "unanswered":
      return { state: "unknown", why: "it was rung before and has not answered; the mail is safe" };
    case "quiet":
      // The recipient read the mail in the meantime.
      return { state: "already rung" };
  }
}

function held(why: HoldReason): BellOutcome {
  return { state: "held", reason: why };
}
