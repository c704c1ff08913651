/** Why a role with unread mail was not rung, in one short sentence. */
import type { HoldReason } from "../../army/words.ts";

export const HOLD_TEXTS = {
  busy: "it is working and will be told by the end of its turn",
  asking: "it is asking the person something and will be told after the answer",
  starting: "it has not started yet and will be told once it has",
  "agent-gone": "its agent is not running",
  "relay-gone":
    "its relay has ended and its agent is in the middle of something; it will be told once the relay is reconnected (/mcp in its pane)",
  "state-unknown": "its state is unknown, so nothing was typed",
  suspended: "its agent is suspended, so nothing was typed",
  draft: "somebody is writing in its pane, so nothing was typed",
  "no-composer": "its pane shows something other than its prompt, so nothing was typed",
  "no-pane": "no pane has its name",
  "two-panes": "two panes have its name",
  "pane-ended": "the program in its pane has ended",
  "session-gone": "its Zellij session is gone",
  "zellij-failed": "Zellij did not answer",
  "socket-refused": "its inbox socket did not accept the bell",
  "not-taken": "its agent did not react to what was typed",
  "not-taken-back":
    "a line that ovld typed is still in its pane and could not be removed safely; delete it there",
  "pane-too-small": "its pane is too small to show what would be typed, so nothing was sent",
  "pane-scrolled": "its pane is scrolled up, so nothing was typed; scroll it down again",
  limit: "a usage limit is reached; it will be told when the limit is reset",
} satisfies Record<HoldReason, string>;
