/** Finds the link for an army's agents, by the program that the army was summoned with. */
import type { AgentName } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentLink } from "./agent-link.ts";
import { claudeLink } from "./claude/claude-link.ts";

/** The practice agent behaves like Claude Code and uses the same link. */
const LINKS: Readonly<Record<AgentName, AgentLink>> = { claude: claudeLink, practice: claudeLink };

/** An army without a record was set up by hand, or summoned when there was no other program. */
export function linkOfArmy(mail: Pick<Mail, "army">): AgentLink {
  return LINKS[mail.army()?.agent ?? "claude"];
}
