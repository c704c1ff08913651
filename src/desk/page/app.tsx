/** The desk: what needs the person first, then the roles, the campaign, writing, and the other armies. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Language } from "../../army/words.ts";
import { PAGE_TEXTS } from "../../i18n/page-texts.ts";
import type { PageTexts } from "../../i18n/texts.ts";
import { cleanForScreen } from "../../system/clean-text.ts";
import { Armies } from "./armies.tsx";
import { callsFor } from "./call-desk.ts";
import { sourceFromServer } from "./campaign/campaign-source.ts";
import { CampaignView } from "./campaign/campaign.tsx";
import { Needs } from "./answer/needs.tsx";
import { Roles } from "./roles.tsx";
import { TopBar } from "./top-bar.tsx";
import { useArmy, type ArmyState, type EntryListener } from "./use-army.ts";
import { Write } from "./write.tsx";

export interface AppProps {
  army: string;
  language: Language;
}

export function App(start: AppProps) {
  const [army, setArmy] = useState(start.army);
  const [language, setLanguage] = useState(start.language);
  const [listeners] = useState(() => new Set<EntryListener>());
  const texts = PAGE_TEXTS[language];
  const page = texts.desk.page;
  const state = useArmy(army, listeners);
  const now = useClock(state.clockAhead);
  const calls = useMemo(() => callsFor(army, texts), [army, texts]);
  const source = useMemo(() => sourceFromServer(calls), [calls]);
  useEffect(() => {
    document.documentElement.lang = language;
    const count = state.requests.length;
    document.title = `${count > 0 ? `(${count}) ` : ""}${page.title(army)}`;
  }, [army, language, state.requests.length]);
  const { view, requests, usage } = state;
  return (
    <>
      <TopBar
        title={view ? texts.status.sessions[view.state](cleanForScreen(view.session)) : page.title(army)}
        texts={texts}
        onLanguage={setLanguage}
      />
      <main>
        <Condition state={state} army={army} texts={texts} />
        {view && (
          <>
            <Needs {...{ view, requests, calls, texts, now }} />
            <Roles {...{ view, usage, calls, texts, now }} />
          </>
        )}
        {view && <CampaignView key={army} {...{ source, usage, texts, now, listeners }} />}
        {view && !state.isArchived && <Write calls={calls} texts={texts} />}
        <Armies {...{ army, calls, texts, now }} onShow={setArmy} />
      </main>
    </>
  );
}

function Condition({ state, army, texts }: { state: ArmyState; army: string; texts: PageTexts }) {
  const page = texts.desk.page;
  const sentences = [
    state.connection === "lost" && page.cutOff,
    state.connection === "resting" && page.resting,
    state.view === undefined && state.connection !== "lost" && page.connecting,
    state.view === null && page.noArmy(army),
    state.view?.trouble && texts.status.damaged(state.view.trouble.code),
    state.trouble !== undefined && page.trouble(cleanForScreen(state.trouble)),
  ].filter((sentence) => typeof sentence === "string");
  return (
    <div role="status" class="condition">
      {sentences.map((sentence) => (
        <p key={sentence} class="notice">
          {sentence}
        </p>
      ))}
    </div>
  );
}

/** The desk's time, once a second. */
function useClock(ahead: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  return now + ahead;
}
