/** The army that is shown, in a line; the switch between those that are running; and all of them with the archive. */
import { cleanForScreen } from "../../system/clean-text.ts";
import type { ArmyView } from "../../view/describe-army.ts";
import type { AgentUsage } from "../../agent/agent-program.ts";
import type { DeskArmy } from "../desk-routes.ts";
import type { UsageByRole } from "../../agent/follow-usage.ts";
import { Mark } from "./marks.tsx";
import { Section, usePage } from "./page-parts.tsx";

interface ArmiesProps {
  /** The key of the one that is shown. */
  army: string;
  armies: readonly DeskArmy[];
  onShow: (army: string) => void;
}

interface HeadlineProps extends ArmiesProps {
  view: ArmyView | null | undefined;
  usage: UsageByRole;
  needs: number;
}

export function Headline({ view, usage, needs, army, armies, onShow }: HeadlineProps) {
  const { texts, words, now } = usePage();
  const { age, sessionWords } = texts.status;
  const running = armies.filter(({ key, ended }) => key === army || ended === null);
  const isUp = view?.state === "live" || view?.state === "starting";
  const counted = Object.values(usage).reduce((sum, each) => sum + countTokens(each), 0);
  const { used = counted, limit = null, level = "fine", money = null } = view?.budget?.army ?? {};
  const working = view?.roles.filter(({ agent }) => agent.state === "busy").length ?? 0;
  return (
    <>
      <div class="headline">
        <h1>{cleanForScreen(view?.session ?? army)}</h1>
        {view && view.folder !== null && (
          <code>
            <bdi>{cleanForScreen(view.folder)}</bdi>
          </code>
        )}
        {view && (
          <p class="facts">
            {view.state !== "live" && <b>{sessionWords[view.state]}</b>}
            {isUp && view.summoned !== null && <span>{age((now - Date.parse(view.summoned)) / 1_000)}</span>}
            {used > 0 && (
              <span class={level === "fine" ? undefined : "warning"}>
                {words.allTokens(short(used), limit === null ? null : short(limit))}
              </span>
            )}
            {money !== null && <span>{words.cost(money.toFixed(2))}</span>}
            {working > 0 && (
              <span class="state busy">
                <Mark is="busy" /> {words.working(working)}
              </span>
            )}
            {needs > 0 && (
              <a class="state asking" href="#needs">
                <Mark is="asking" /> {words.askYou(needs)}
              </a>
            )}
          </p>
        )}
      </div>
      {running.some(({ key }) => key !== army) && (
        <nav class="switch" aria-label={words.armies}>
          {running.map(({ name, key, asks }) => (
            <button key={key} type="button" aria-pressed={key === army} onClick={() => onShow(key)}>
              {cleanForScreen(name)}
              {asks > 0 && key !== army && (
                <span class="state asking">
                  <Mark is="asking" /> {asks}
                </span>
              )}
            </button>
          ))}
        </nav>
      )}
    </>
  );
}

/** The armies of this user that have ended, the running ones being in the switch; choosing one shows it. */
export function EndedArmies({ army, armies, onShow }: ArmiesProps) {
  const { texts, words, now } = usePage();
  const gone = armies.filter(({ ended }) => ended !== null);
  if (gone.length === 0) return null;
  return (
    <Section id="ended" title={words.endedArmies}>
      <ul>
        {gone.map(({ name, key, state, unread, folder, ended }) => (
          <li key={name}>
            <button type="button" aria-pressed={key === army} onClick={() => onShow(key)}>
              <b>{cleanForScreen(name)}</b> {texts.armies.states[state]}{" "}
              {ended && texts.status.age((now - Date.parse(ended.at)) / 1_000)}{" "}
              {unread > 0 && words.unread(unread)} <small>{cleanForScreen(folder ?? "")}</small>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function countTokens({ input, cached, output }: AgentUsage): number {
  return input + cached + output;
}

/** 1,234,567 as 1.2M. */
export function short(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
