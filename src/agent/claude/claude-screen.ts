/** What Claude Code shows besides its composer, told by words on its screen. Pure. */
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
 * It means to be stopped, but the system does not stop a program that no shell looks after, as in a pane: it runs on
 * without its screen and without hearing a key, until it gets the signal to go on.
 */
const SUSPENDED_MARK = "hasbeensuspended.Run`fg`";

/** A narrow pane breaks words anywhere, so blanks do not count. */
function wordsOn(screen: readonly string[]): string {
  return withoutBlanks(screen.join(""));
}
