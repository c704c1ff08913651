/** The picture of a campaign in a file of its own: nothing can be answered or sent, and nothing is fetched. */
import { clockOf, dayOf } from "../../../view/format-entry.ts";
import { useEffect, useState } from "preact/hooks";
import type { Language } from "../../../army/words.ts";
import { PAGE_TEXTS } from "../../../i18n/page-texts.ts";
import { cleanForScreen } from "../../../system/clean-text.ts";
import type { ExportedCampaign } from "../../export-campaign.ts";
import { sourceFromFile } from "./campaign-source.ts";
import { CampaignView } from "./campaign.tsx";
import { TopBar } from "../top-bar.tsx";

export function ExportedApp({
  campaign,
  language: first,
}: {
  campaign: ExportedCampaign;
  language: Language;
}) {
  const [language, setLanguage] = useState(first);
  const [source] = useState(() => sourceFromFile(campaign));
  const texts = PAGE_TEXTS[language];
  const page = texts.desk.page;
  const at = new Date(campaign.at);
  const name = cleanForScreen(campaign.army);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = page.title(name);
  }, [language]);
  return (
    <>
      <TopBar title={name} texts={texts} onLanguage={setLanguage}>
        <span class="age">{page.exportedAt(`${dayOf(at)} ${clockOf(at)}`)}</span>
      </TopBar>
      <main>
        <CampaignView
          source={source}
          usage={campaign.usage}
          texts={texts}
          now={at.getTime()}
          listeners={undefined}
        />
      </main>
    </>
  );
}
