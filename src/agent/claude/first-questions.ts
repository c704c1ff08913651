/** The questions Claude Code may ask before its first prompt, told by words on its screen. Pure. */
export type FirstQuestion = "trust" | "api-key" | "login" | "bypass";

/** In a pane of a few columns words are broken anywhere, so the marks have no blanks. */
const MARKS: readonly (readonly [FirstQuestion, RegExp])[] = [
  ["trust", /trustthisfolder|Accessingworkspace/],
  ["api-key", /usethisAPIkey/],
  ["bypass", /BypassPermissionsmode.*Yes,Iaccept/],
  ["login", /Selectloginmethod|Choosethetextstyle|Pastecodehereifprompted/],
];

/** Undefined if it is none of these: the words change from release to release. */
export function firstQuestionOn(screen: readonly string[]): FirstQuestion | undefined {
  const text = screen.join("").replaceAll(/\s/g, "");
  return MARKS.find(([, mark]) => mark.test(text))?.[0];
}
