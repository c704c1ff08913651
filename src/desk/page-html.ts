/** The page as a document: everything else is in its script, which renders text only. */
import { createHash } from "node:crypto";
import type { Language } from "../army/words.ts";

const NOTHING_ELSE = "img-src data:; base-uri 'none'; form-action 'none'";

/** Scripts, styles and connections only from the desk itself; nothing inline, no frames, no forms that go elsewhere. */
export const PAGE_POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ${NOTHING_ELSE}; frame-ancestors 'none'`;

/** The page of the desk, which is told the army and fetches everything else. */
export function formatPage(army: string, language: Language): string {
  const head = `<link rel="stylesheet" href="page.css">
<script type="module" src="page.js"></script>`;
  return formatDocument(language, head, `<body data-army="${escapeHtml(army)}"></body>`);
}

/** The page with everything that it needs in it. */
export function formatWholePage(
  data: object,
  { script, style, language }: { script: string; style: string; language: Language },
): string {
  const code = script.replaceAll("</script", String.raw`<\/script`);
  const policy = `default-src 'none'; script-src '${hashOf(code)}'; style-src '${hashOf(style)}'; ${NOTHING_ELSE}`;
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>${style}</style>`;
  // Without this a text in the mail could end the element.
  const text = JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
  const body = `<body>
<script type="application/json" id="campaign-data">${text}</script>
<script type="module">${code}</script>
</body>`;
  return formatDocument(language, head, body);
}

function formatDocument(language: Language, head: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ovld</title>
<link rel="icon" href="data:,">
${head}
</head>
${body}
</html>
`;
}

/** Goes on to another address. Not a redirect: after one, a browser may keep back a cookie that it has just got. */
export function formatForward(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<title>ovld</title>
<meta http-equiv="refresh" content="0;url=${escapeHtml(address)}">
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
