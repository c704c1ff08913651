/**
 * Waking an agent for its mail, as the sender sees it: the mail is stored, the recipient's own relay rings, and here
 * it is told what became of that. Only where that relay is dead is the recipient rung from here.
 *
 * The words are the same everywhere: `stored`, `rung`, `begun`, `read`. Nothing is called rung without a way having
 * said so.
 */
import type { Role } from "../army/roles.ts";
import { holdSentence } from "../i18n/bell-texts.ts";
import type { AgentReport, BellReport } from "../mail/agent-report.ts";
import type { HoldReason, Way } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { Message } from "../mail/message.ts";
import { pause } from "../system/pause.ts";

export type BellOutcome =
  /** The recipient was rung just now; by us if its own relay is dead. */
  | { state: "rung"; way: Way; by?: "sender" }
  /** It was rung for earlier mail and has not read yet: one bell is enough. */
  | { state: "already rung" }
  /** The recipient was not rung; the mail waits in its inbox. */
  | { state: "held"; reason: HoldReason; why: string }
  /** It could not be told whether the bell was heard. */
  | { state: "unknown"; why: string };

/** Rings for a role whose relay is dead: undefined if it rang, else why not. */
export type RingForDeadRelay = (
  to: Role,
  report: AgentReport,
) => Promise<HoldReason | "already rung" | "relay-lives" | undefined>;

const PATIENCE_MS = 1_000;
const FIRST_LOOK_MS = 1;
const SLOWEST_LOOK_MS = 10;

/** `ringForDeadRelay`: undefined where nothing can be typed into. */
export async function awaitBellOutcome(
  mail: Pick<Mail, "agentReport">,
  message: Message,
  ringForDeadRelay: RingForDeadRelay | undefined,
): Promise<BellOutcome> {
  let lookAfterMs = FIRST_LOOK_MS;
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const report = mail.agentReport(message.to);
    // Nobody has sat down there yet; whoever does finds the mail.
    if (report === undefined) return held("starting");
    if (report.state === "gone") {
      const outcome = ringForDeadRelay ? await ringForDeadRelay(message.to, report) : "agent-gone";
      if (outcome !== "relay-lives") return tellOurRing(outcome);
    } else if (report.heard !== undefined && report.heard >= message.id) {
      return tell(report.bell, message);
    } else if (isForeseeable(report.bell, message)) return held(report.bell.why);
    if (performance.now() > until)
      return { state: "unknown", why: "its relay has not said yet; the mail is safe" };
    await pause(lookAfterMs);
    lookAfterMs = Math.min(2 * lookAfterMs, SLOWEST_LOOK_MS);
  }
}

function tellOurRing(outcome: HoldReason | "already rung" | undefined): BellOutcome {
  if (outcome === undefined) return { state: "rung", way: "typing", by: "sender" };
  return outcome === "already rung" ? { state: outcome } : held(outcome);
}

/** Mail is held already, and one more message that can wait does not change why: nobody has to wait to hear so. */
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
      // It has been read while we looked.
      return { state: "already rung" };
  }
}

function held(why: HoldReason): BellOutcome {
  return { state: "held", reason: why, why: holdSentence(why, "en") };
}
