/** How to deal with the agents of an army, by the program that it was summoned with. */
import type { AgentName } from "../army/agent-names.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentLink } from "./agent-link.ts";
import { claudeLink } from "./claude/claude-link.ts";

/** The practice agent stands where Claude Code would, and is dealt with in the same way. */
const LINKS: Readonly<Record<AgentName, AgentLink>> = { claude: claudeLink, practice: claudeLink };

/** An army without a record was put together by hand, or summoned before there were any others. */
export function linkOfArmy(mail: Pick<Mail, "army">): AgentLink {
  return LINKS[mail.army()?.agent ?? "claude"];
}
