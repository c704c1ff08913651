/** The desk: what needs the person, their letters with the army, the plan, the roles, and the picture of the campaign. */
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Role } from "../../army/roles.ts";
import { LANGUAGES, type Language } from "../../army/words.ts";
import { PAGE_TEXTS } from "../../i18n/page-texts.ts";
import { cleanForScreen } from "../../system/clean-text.ts";
import { clockOf, dayOf } from "../../view/format-entry.ts";
import { formatArmyFlag, needsIn } from "../../view/need.ts";
import type { ExportedCampaign } from "../export-campaign.ts";
import { Needs } from "./answer/needs.tsx";
import { EndedArmies, Headline } from "./armies.tsx";
import { callFile, callServer } from "./call-desk.ts";
import { CampaignView } from "./campaign/campaign.tsx";
import { PageFrame } from "./page-frame.tsx";
import { Command, useAnswerOf, usePage } from "./page-parts.tsx";
import { Plan } from "./plan.tsx";
import { Roles } from "./roles.tsx";
import { useArmy, type ArmyState, type EntryListener } from "./use-army.ts";
import { Composer, Letters, type Address } from "./letters.tsx";

const LOOK_AT_ARMIES = { everyMs: 10_000, times: Infinity };

function App(start: { army: string; language: Language }) {
  const [army, setArmy] = useState(start.army);
  const [language, setLanguage] = useState(start.language);
  const [listeners] = useState(() => new Set<EntryListener>());
  const texts = PAGE_TEXTS[language];
  const state = useArmy(army, listeners);
  const now = useClock(state.clockAhead);
  const calls = useMemo(() => callServer(army, texts), [army, texts]);
  const { value: armies = [] } = useAnswerOf(calls, "armies", {}, LOOK_AT_ARMIES);
  const { view, requests, letters, usage, isArchived } = state;
  const askers = new Set(requests.map(({ request }) => request.role));
  const others = (view ? needsIn(view) : []).filter(
    ({ view: { role }, need }) => need.kind !== "asking" || !askers.has(role),
  );
  const needs = requests.length + others.length;
  const questions = new Set(others.map(({ need }) => need.kind === "question" && need.question?.id));
  const news = view?.inbox.letters.filter(({ id }) => !questions.has(id)).length ?? 0;
  const [address, setAddress] = useState<Address>({ to: "overlord" });
  const reply = (to: Role, about?: string): void => {
    setAddress({ to, about });
    document.querySelector<HTMLElement>("#message")?.focus();
  };
  const which = { army, armies, onShow: setArmy };
  return (
    <PageFrame
      title={texts.desk.page.title(army)}
      heading={<Headline {...{ view, usage, needs, ...which }} />}
      isCut={state.connection === "lost"}
      onLanguage={setLanguage}
      badge={needs + news}
      {...{ language, calls, now }}
    >
      <Condition state={state} army={army} />
      {view && (
        <>
          <div class="post">
            <div class="first">
              <Needs view={view} requests={requests} others={others} onReply={reply} />
              <Letters key={`letters ${army}`} letters={letters} onReply={isArchived ? undefined : reply} />
              {/* What was begun for one army is not sent to another. */}
              {!isArchived && <Composer key={`composer ${army}`} address={address} onAddress={setAddress} />}
            </div>
            <div class="second">
              {view.work && <Plan key={`plan ${army}`} plan={view.work} isArchived={isArchived} />}
              <Roles view={view} usage={usage} />
            </div>
          </div>
          <CampaignView key={army} usage={usage} listeners={listeners} />
        </>
      )}
      <EndedArmies {...which} />
    </PageFrame>
  );
}

/** The picture of a campaign in a file of its own: nothing can be answered or sent, and nothing is fetched. */
function ExportedApp({ campaign, ...start }: { campaign: ExportedCampaign; language: Language }) {
  const [language, setLanguage] = useState(start.language);
  const [calls] = useState(() => callFile(campaign));
  const { title, exportedAt } = PAGE_TEXTS[language].desk.page;
  const name = cleanForScreen(campaign.army);
  const moment = new Date(campaign.at);
  const heading = (
    <div class="headline">
      <h1>{name}</h1>
      <p class="facts">{exportedAt(`${dayOf(moment)} ${clockOf(moment)}`)}</p>
    </div>
  );
  return (
    <PageFrame
      title={title(name)}
      badge={0}
      isCut={false}
      onLanguage={setLanguage}
      {...{ heading, language, calls, now: moment.getTime() }}
    >
      <CampaignView usage={campaign.usage} listeners={undefined} />
    </PageFrame>
  );
}

function Condition({ state, army }: { state: ArmyState; army: string }) {
  const { texts, words } = usePage();
  const { connection, view, trouble } = state;
  const sentences = [
    connection === "lost" && words.cutOff,
    connection === "resting" && words.resting,
    view === undefined && connection !== "lost" && words.connecting,
    view === null && words.noArmy(army),
    view?.trouble && texts.status.damaged(view.trouble.code),
    trouble !== undefined && words.trouble(cleanForScreen(trouble)),
  ].filter((sentence) => typeof sentence === "string");
  const isDown = view === null || (view?.state === "gone" && !state.isArchived);
  return (
    <>
      <div role="status" class="condition">
        {sentences.map((sentence) => (
          <p key={sentence} class="notice">
            {sentence}
          </p>
        ))}
      </div>
      {isDown && (
        <p class="next">
          {words.summonIt} <Command line={`ovld summon${formatArmyFlag(army)}`} />
        </p>
      )}
    </>
  );
}

/** The desk's time; shown anew once a second. */
function useClock(ahead: number): number {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  // Not the time of the last tick: that may have been before a sleep, and `ahead` is already that of now.
  return Date.now() + ahead;
}

const language = LANGUAGES.find((each) => each === document.documentElement.lang) ?? "en";
const data = document.querySelector("#campaign-data")?.textContent;
if (data) render(<ExportedApp campaign={JSON.parse(data)} language={language} />, document.body);
else render(<App army={document.body.dataset["army"] ?? ""} language={language} />, document.body);
