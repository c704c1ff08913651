/** Starts the page: the desk's, or the picture of a campaign in a file of its own. */
import { render } from "preact";
import { LANGUAGES } from "../../army/words.ts";
import { App } from "./app.tsx";
import { ExportedApp } from "./campaign/exported-app.tsx";

const language = LANGUAGES.find((each) => each === document.documentElement.lang) ?? "en";
const data = document.querySelector("#campaign-data")?.textContent;
if (data) render(<ExportedApp campaign={JSON.parse(data)} language={language} />, document.body);
else render(<App army={document.body.dataset["army"] ?? ""} language={language} />, document.body);
