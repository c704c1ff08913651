/** The six roles, each a card of two lines and what is not usual about it; the card shows its pane. */
import type { AgentUsage } from "../../agent/agent-program.ts";
import { cleanForScreen } from "../../system/clean-text.ts";
import type { ArmyView, RoleView } from "../../view/describe-army.ts";
import type { UsageByRole } from "../../agent/follow-usage.ts";
import { countTokens, short } from "./armies.tsx";
import { Mark, RoleName } from "./marks.tsx";
import { Section, usePage } from "./page-parts.tsx";

export function Roles({ view, usage }: { view: ArmyView; usage: UsageByRole }) {
  return (
    <Section id="roles" title={usePage().words.roles}>
      <ul>
        {view.roles.map((each) => (
          <RoleCard key={each.role} view={each} usage={usage[each.role]} />
        ))}
      </ul>
    </Section>
  );
}

function RoleCard({ view, usage }: { view: RoleView; usage: AgentUsage | undefined }) {
  const { role, agent, status, task, updated, unread, oldest, bell, stalled } = view;
  const { texts, words, now, aside, onAside } = usePage();
  const { states, statuses, bells, ...say } = texts.status;
  const ageOf = (moment: string | null): string =>
    moment === null ? "" : say.age((now - Date.parse(moment)) / 1_000);
  const isOpen = aside !== undefined && "pane" in aside && aside.pane === role;
  const isBellNews = bell.state === "held" || bell.state === "unanswered";
  const facts = [
    unread > 0 && words.waitingMail(unread, ageOf(oldest)),
    isBellNews && `${bells[bell.state]} ${ageOf(bell.at)}`,
    bell.state === "held" && texts.holds[bell.why],
    ...stalled
      .filter(({ from }) => from !== "human")
      .map(({ subject, from }) => cleanForScreen(say.stalled(role, subject, from))),
    isOpen && usage && words.tokens(short(usage.input), short(usage.cached), short(usage.output)),
  ].filter((fact) => typeof fact === "string");
  return (
    <li>
      <button
        type="button"
        class={`card role-card ${agent.state}`}
        data-role={role}
        aria-expanded={isOpen}
        title={words.showScreen(role)}
        onClick={() => onAside(isOpen ? undefined : { pane: role })}
      >
        <RoleName role={role} />
        <span class={`state ${agent.state}`}>
          <Mark is={agent.state} /> {states[agent.state]} {ageOf(agent.since)}
        </span>
        <span class="says">{updated !== null && say.says(statuses[status], cleanForScreen(task))}</span>
        {usage && (
          <small>
            {words.turns(usage.turns, usage.emptyWakes)}
            {usage.output > 0 && ` · ${words.allTokens(short(countTokens(usage)), null)}`}
          </small>
        )}
        {facts.length > 0 && <small class="more">{facts.join(" · ")}</small>}
      </button>
    </li>
  );
}
