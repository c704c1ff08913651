/** The six roles: state, task, mail, bell and what each has used; and a look at one pane. */
import type { ArmyView, RoleView } from "../../view/describe-army.ts";
import { useState } from "preact/hooks";
import type { Role } from "../../army/roles.ts";
import type { AgentUsage } from "../../agent/agent-program.ts";
import { cleanForScreen } from "../../system/clean-text.ts";
import type { UsageByRole } from "../follow-usage.ts";
import type { DeskCalls } from "./call-desk.ts";
import { PaneScreen } from "./pane-screen.tsx";
import { RoleName, useTexts } from "./page-parts.tsx";

interface RolesProps {
  view: ArmyView;
  usage: UsageByRole;
  calls: DeskCalls;
  now: number;
}

export function Roles({ view, usage, calls, now }: RolesProps) {
  const [open, setOpen] = useState<Role>();
  const { page } = useTexts().desk;
  return (
    <section aria-labelledby="roles">
      <h2 id="roles">{page.roles}</h2>
      <ul class="roles">
        {view.roles.map((role) => (
          <RoleCard
            key={role.role}
            view={role}
            usage={usage[role.role]}
            now={now}
            isOpen={open === role.role}
            onToggle={() => setOpen(open === role.role ? undefined : role.role)}
          />
        ))}
      </ul>
      {open && (
        <div class="pane">
          <h3>
            <RoleName role={open} />
            <button type="button" onClick={() => setOpen(undefined)}>
              {page.closeScreen}
            </button>
          </h3>
          <PaneScreen key={open} role={open} calls={calls} />
        </div>
      )}
    </section>
  );
}

interface RoleCardProps {
  view: RoleView;
  usage: AgentUsage | undefined;
  now: number;
  isOpen: boolean;
  onToggle: () => void;
}

function RoleCard({ view, usage, now, isOpen, onToggle }: RoleCardProps) {
  const { role, agent, status, task, updated, unread, oldest, bell } = view;
  const { status: words, holds, desk } = useTexts();
  const ageOf = (moment: string | null): string =>
    moment === null ? "" : words.age((now - Date.parse(moment)) / 1_000);
  const bellAge = "at" in bell ? ` ${ageOf(bell.at)}` : "";
  return (
    <li class={`card role-card ${agent.state}`} data-role={role}>
      <h3>
        <RoleName role={role} />
        <span class={`state ${agent.state}`}>
          {words.states[agent.state]} {ageOf(agent.since)}
        </span>
      </h3>
      <p class="says">
        {updated === null ? words.neverSaid : words.says(words.statuses[status], cleanForScreen(task))}
      </p>
      <dl>
        <dt>{words.columns.mail}</dt>
        <dd>{words.unread(unread, ageOf(oldest))}</dd>
        <dt>{words.columns.bell}</dt>
        <dd>
          {words.bells[bell.state]}
          {bellAge}
          {bell.state === "held" && <small> {holds[bell.why]}</small>}
        </dd>
      </dl>
      {usage && (
        <p class="usage">
          {desk.page.turns(usage.turns, usage.emptyWakes)}
          <br />
          {/* A practice agent uses none. */}
          {usage.output > 0 && desk.page.tokens(short(usage.input), short(usage.cached), short(usage.output))}
        </p>
      )}
      <button type="button" aria-expanded={isOpen} onClick={onToggle}>
        {desk.page.showScreen(role)}
      </button>
    </li>
  );
}

/** 1,234,567 as 1.2M. */
function short(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
