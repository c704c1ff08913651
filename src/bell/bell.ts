/**
 * Waking an agent for its mail: the interface, and the rule that one flag means one bell.
 *
 * The words are the same everywhere: `stored`, `rung`, `begun`, `read`. Nothing is called rung without a way
 * having said so.
 */
import type { Role, Sender } from "../army/roles.ts";
import type { Way } from "../mail/agent-report.ts";
import type { Mail } from "../mail/mail.ts";
import type { Message } from "../mail/message.ts";

export type BellOutcome =
  /** The recipient was rung just now. */
  | { bell: "rung"; way: string }
  /** It was rung for earlier mail and has not read yet: one bell is enough. */
  | { bell: "already rung" }
  /** The recipient was not rung; the mail waits in its inbox. */
  | { bell: "held"; why: string }
  /** It could not be told whether the bell was heard. */
  | { bell: "unknown"; why: string };

export interface Bell {
  ring(message: Message): Promise<BellOutcome>;
}

export interface WayOfRinging {
  name: Way;
  /** Undefined if it rang, else why not. */
  ring(recipient: Role, message: Message): Promise<string | undefined>;
}

export function createBell(
  flags: Pick<Mail, "raiseFlag" | "lowerFlag">,
  ringer: Sender,
  ways: WayOfRinging[],
): Bell {
  return {
    async ring(message) {
      let why = "nobody was rung: there is no way of ringing yet";
      for (const way of ways) {
        if (!flags.raiseFlag(message.to, { by: ringer, ringer: "", way: way.name }))
          return { bell: "already rung" };
        const refusal = await way.ring(message.to, message);
        if (refusal === undefined) return { bell: "rung", way: way.name };
        // A flag must never outlive its reason: it would mute the role for good.
        flags.lowerFlag(message.to);
        why = refusal;
      }
      return { bell: "held", why };
    },
  };
}
