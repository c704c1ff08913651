/** The desk: what needs the person first, then the roles, the campaign, writing, and the other armies. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Language } from "../../army/words.ts";
import { PAGE_TEXTS } from "../../i18n/page-texts.ts";
import { cleanForScreen } from "../../system/clean-text.ts";
import { Needs } from "./answer/needs.tsx";
import { Armies } from "./armies.tsx";
import { callsFor } from "./call-desk.ts";
import { sourceFromServer } from "./campaign/campaign-source.ts";
import { CampaignView } from "./campaign/campaign.tsx";
import { PageFrame, useTexts } from "./page-parts.tsx";
import { Roles } from "./roles.tsx";
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
  const state = useArmy(army, listeners);
  const now = useClock(state.clockAhead);
  const calls = useMemo(() => callsFor(army, texts), [army, texts]);
  const source = useMemo(() => sourceFromServer(calls), [calls]);
  const { view, requests, usage } = state;
  const title = texts.desk.page.title(army);
  return (
    <PageFrame
      title={requests.length > 0 ? `(${requests.length}) ${title}` : title}
      heading={view ? texts.status.sessions[view.state](cleanForScreen(view.session)) : title}
      language={language}
      onLanguage={setLanguage}
    >
      <Condition state={state} army={army} />
      {view && (
        <>
          <Needs {...{ view, requests, calls, now }} />
          <Roles {...{ view, usage, calls, now }} />
          <CampaignView key={army} {...{ source, usage, now, listeners }} />
          {!state.isArchived && <Write calls={calls} />}
        </>
      )}
      <Armies {...{ army, calls, now }} onShow={setArmy} />
    </PageFrame>
  );
}

function Condition({ state, army }: { state: ArmyState; army: string }) {
  const { status, desk } = useTexts();
  const { page } = desk;
  const { connection, view, trouble } = state;
  const sentences = [
    connection === "lost" && page.cutOff,
    connection === "resting" && page.resting,
    view === undefined && connection !== "lost" && page.connecting,
    view === null && page.noArmy(army),
    view?.trouble && status.damaged(view.trouble.code),
    trouble !== undefined && page.trouble(cleanForScreen(trouble)),
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
