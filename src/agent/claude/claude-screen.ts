/** What Claude Code shows besides its composer, recognised by words on its screen. Pure. */
import { withoutBlanks } from "../../system/clean-text.ts";
import type { AgentScreen, FirstQuestion } from "../agent-link.ts";
import { findPrompt, isScrolled, readComposer, showsAsSent } from "./composer.ts";
import { promptKeys } from "./prompt-keys.ts";

export const claudeScreen: AgentScreen = {
  readComposer,
  findPrompt,
  isScrolled,
  looksIdle: (screen) => readComposer(screen) !== undefined && !wordsOn(screen).includes(BUSY_MARK),
  showsAsSent,
  firstQuestionOn: (screen) => FIRST_QUESTIONS.find(([, mark]) => mark.test(wordsOn(screen)))?.[0],
  saysSuspended: (screen) => wordsOn(screen).includes(SUSPENDED_MARK),
  keys: promptKeys,
};

const BUSY_MARK = "esctointerrupt";

/** The words change from release to release. */
const FIRST_QUESTIONS: readonly (readonly [FirstQuestion, RegExp])[] = [
  ["trust", /trustthisfolder|Accessingworkspace/],
  ["api-key", /usethisAPIkey/],
  ["bypass", /BypassPermissionsmode.*Yes,Iaccept/],
  ["login", /Selectloginmethod|Choosethetextstyle|Pastecodehereifprompted/],
];

/**
 * Ctrl-Z is meant to stop it, but the system does not stop a program in a pane, because no shell controls it there.
 * So it keeps running without its screen and without reading keys until it receives SIGCONT.
 */
const SUSPENDED_MARK = "hasbeensuspended.Run`fg`";

/** A narrow pane breaks words anywhere, so spaces are ignored. */
function wordsOn(screen: readonly string[]): string {
  return withoutBlanks(screen.join(""));
}
