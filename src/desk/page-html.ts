/** The page as a document: everything else is in its script, which renders text only. */
import type { Language } from "../army/words.ts";

/** Scripts, styles and connections only from the desk itself; nothing inline, no frames, no forms that go elsewhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What the page is told about itself; it fetches everything else. */
export interface PageStart {
  army: string;
  language: Language;
}

export function formatPage({ army, language }: PageStart): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ovld</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<script type="module" src="page.js"></script>
</head>
<body data-army="${escapeHtml(army)}"></body>
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
