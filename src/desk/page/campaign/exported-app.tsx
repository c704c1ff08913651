/** The picture of a campaign in a file of its own: nothing can be answered or sent, and nothing is fetched. */
import { useState } from "preact/hooks";
import type { Language } from "../../../army/words.ts";
import { PAGE_TEXTS } from "../../../i18n/page-texts.ts";
import { cleanForScreen } from "../../../system/clean-text.ts";
import { clockOf, dayOf } from "../../../view/format-entry.ts";
import type { ExportedCampaign } from "../../export-campaign.ts";
import { PageFrame } from "../page-parts.tsx";
import { sourceFromFile } from "./campaign-source.ts";
import { CampaignView } from "./campaign.tsx";

export function ExportedApp(start: { campaign: ExportedCampaign; language: Language }) {
  const { army, usage, at } = start.campaign;
  const [language, setLanguage] = useState(start.language);
  const [source] = useState(() => sourceFromFile(start.campaign));
  const { page } = PAGE_TEXTS[language].desk;
  const name = cleanForScreen(army);
  const moment = new Date(at);
  return (
    <PageFrame
      title={page.title(name)}
      heading={name}
      note={page.exportedAt(`${dayOf(moment)} ${clockOf(moment)}`)}
      language={language}
      onLanguage={setLanguage}
    >
      <CampaignView source={source} usage={usage} now={moment.getTime()} listeners={undefined} />
    </PageFrame>
  );
}
