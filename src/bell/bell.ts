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
  | { bell: "rung"; way: Way; by?: "sender" }
  /** It was rung for earlier mail and has not read yet: one bell is enough. */
  | { bell: "already rung" }
  /** The recipient was not rung; the mail waits in its inbox. */
  | { bell: "held"; reason: HoldReason; why: string }
  /** It could not be told whether the bell was heard. */
  | { bell: "unknown"; why: string };

export interface Bell {
  ring(message: Message): Promise<BellOutcome>;
}

/** Rings for a role whose relay is dead: undefined if it rang, else why not. */
export type RingInstead = (
  to: Role,
  report: AgentReport,
) => Promise<HoldReason | "already rung" | "relay-lives" | undefined>;

const PATIENCE_MS = 1_000;
const FIRST_LOOK_MS = 1;
const SLOWEST_LOOK_MS = 10;

export function createBell(mail: Pick<Mail, "agentReport">, ringInstead: RingInstead | undefined): Bell {
  return {
    async ring(message) {
      let lookAfterMs = FIRST_LOOK_MS;
      const until = performance.now() + PATIENCE_MS;
      for (;;) {
        const report = mail.agentReport(message.to);
        // Nobody has sat down there yet; whoever does finds the mail.
        if (report === undefined) return held("starting");
        if (report.state === "gone") {
          const outcome = ringInstead ? await ringInstead(message.to, report) : "agent-gone";
          if (outcome !== "relay-lives") return tellOurRing(outcome);
        } else if (report.heard !== undefined && report.heard >= message.id) {
          return tell(report.bell, message);
        } else if (isForeseeable(report.bell, message)) return held(report.bell.why);
        if (performance.now() > until)
          return { bell: "unknown", why: "its relay has not said yet; the mail is safe" };
        await pause(lookAfterMs);
        lookAfterMs = Math.min(2 * lookAfterMs, SLOWEST_LOOK_MS);
      }
    },
  };
}

function tellOurRing(outcome: HoldReason | "already rung" | undefined): BellOutcome {
  if (outcome === undefined) return { bell: "rung", way: "typing", by: "sender" };
  return outcome === "already rung" ? { bell: outcome } : held(outcome);
}

/** Mail is held already, and one more message that can wait does not change why: nobody has to wait to hear so. */
function isForeseeable(bell: BellReport, { priority }: Message): bell is BellReport & { bell: "held" } {
  return bell.bell === "held" && priority === "normal";
}

function tell(report: BellReport, message: Message): BellOutcome {
  switch (report.bell) {
    case "held":
      return held(report.why);
    case "rung":
    case "begun":
      return report.at < message.timestamp ? { bell: "already rung" } : { bell: "rung", way: report.way };
    case "unanswered":
      return { bell: "unknown", why: "it was rung before and has not answered; the mail is safe" };
    case "quiet":
      // It has been read while we looked.
      return { bell: "already rung" };
  }
}

function held(why: HoldReason): BellOutcome {
  return { bell: "held", reason: why, why: holdSentence(why, "en") };
}
