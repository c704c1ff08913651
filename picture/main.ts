/** `npm run picture`: films a real practice campaign for docs/campaign-*.svg, and photographs the desk. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { zellijCandidates } from "../src/zellij/version.ts";
import { THEMES } from "./draw-screen.ts";
import { filmCampaign } from "./film-campaign.ts";
import { photographDesk } from "./photograph-desk.ts";

const WISH = "A tea house where dragons feel at home";
/** Each with the theme of Zellij that fits it. */
const FILMS = { dark: "tokyo-night-dark", light: "catppuccin-latte" } as const;

const docs = join(process.cwd(), "docs");
const [zellij = "zellij"] = zellijCandidates(process.env);
for (const shade of ["dark", "light"] as const) {
  const file = `campaign-${shade}.svg`;
  writeFileSync(join(docs, file), await filmCampaign(zellij, WISH, FILMS[shade], THEMES[shade]));
  console.error(`filmed: docs/${file}`);
}
process.env["OVLD_TEST_ZELLIJ"] ??= zellij;
if (!process.argv.includes("--film")) await photographDesk(docs);
