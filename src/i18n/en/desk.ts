/** What the desk says: the command, its server, and its page. */
import type { Stage } from "../../army/words.ts";

export interface DeskTexts {
  openingLink(link: string, minutes: number): string;
  opened: string;
  keys: string;
  exported(file: string, messages: number): string;
  exportedPart(messages: number): string;
  /** Why a request is refused, for a person who reads it in a browser. */
  refusals: Record<DeskRefusal, string>;
  page: DeskPageTexts;
}

type DeskRefusal =
  | "foreign-host"
  | "foreign-origin"
  | "no-cookie"
  | "no-such-page"
  | "wrong-method"
  | "no-length"
  | "too-large"
  | "not-json"
  | "used-link"
  | "too-many"
  | "failed";

interface DeskPageTexts {
  title(army: string): string;
  otherLanguage: string;
  connecting: string;
  cutOff: string;
  resting: string;
  noArmy(army: string): string;
  trouble(reason: string): string;
  needsYou: string;
  nothingNeedsYou: string;
  /** Above the parts of what an agent wants to do. */
  parts: Record<"command" | "edit" | "write", string>;
  /** The text contains characters that are not shown as they are. */
  hiddenCharacters: string;
  allow: string;
  allowAnd(what: string): string;
  /** With everything that the dialog offers, as the dialog itself would. */
  allowWithAll: string;
  deny: string;
  reason: string;
  answer: string;
  ownWords: string;
  approve: string;
  sendBack: string;
  choose(role: string): string;
  chosen(count: number): string;
  allowChosen: string;
  denyChosen: string;
  dismiss: string;
  restart(role: string): string;
  restartSure(role: string): string;
  restartYes: string;
  restarting(role: string): string;
  restartNotNeeded(role: string): string;
  cancel: string;
  failed(message: string): string;
  roles: string;
  tokens(input: string, cached: string, output: string): string;
  turns(count: number, empty: number): string;
  showScreen(role: string): string;
  closeScreen: string;
  noScreen(reason: string): string;
  campaign: string;
  campaignHelp: string;
  you: string;
  stages: Record<Stage, string>;
  earlier: string;
  later: string;
  zoomIn: string;
  zoomOut: string;
  now: string;
  everything: string;
  onlyRole: string;
  allRoles: string;
  search: string;
  cut(time: string): string;
  nothingHere: string;
  messages(count: number, shown: number): string;
  story: string;
  noBody: string;
  close: string;
  write: string;
  to: string;
  everyone: string;
  subject: string;
  message: string;
  urgent: string;
  send: string;
  sending: string;
  armies: string;
  unread(count: number): string;
  exportedAt(time: string): string;
}

export const DESK_TEXTS: DeskTexts = {
  openingLink: (link, minutes) =>
    `Open this link in your browser. It works once, for ${minutes} minutes:\n\n  ${link}\n`,
  opened: "The desk was opened in a browser.",
  keys: "Press Enter for a new link, and Ctrl-C to end the desk. The army does not depend on it.",
  exported: (file, messages) =>
    `${file} shows the campaign: ${messages === 1 ? "1 message" : `${messages} messages`}. It opens in any browser, without ovld.`,
  exportedPart: (messages) =>
    `The journal has more than the file can hold: only the newest ${messages} are in it.`,
  refusals: {
    "foreign-host": "The desk is reached by its own link only.",
    "foreign-origin": "This request did not come from the desk's own page.",
    "no-cookie":
      "This browser has not opened the desk's link. Press Enter in the terminal in which ovld desk runs: it then shows a new one.",
    "no-such-page": "There is no such page at the desk.",
    "wrong-method": "The desk does not take such a request here.",
    "no-length": "The desk has to know the length of a request.",
    "too-large": "The request is too large.",
    "not-json": "The desk takes JSON here.",
    "used-link":
      "This link has been used or has expired, or is not complete. Press Enter in the terminal in which ovld desk runs: it then shows a new one.",
    "too-many": "Too many pages of the desk are open. Close some of them.",
    failed: "The desk could not answer. Try again.",
  },
  page: {
    title: (army) => `${army} – ovld desk`,
    otherLanguage: "日本語",
    connecting: "Connecting …",
    cutOff: "The desk does not answer. If ovld desk has ended, start it again.",
    resting: "The desk is open in many tabs, so this one rests. It continues when you use it.",
    noArmy: (army) =>
      `There is no army called ${army} right now. This page shows it as soon as there is one.`,
    trouble: (reason) => `The army could not be looked at: ${reason}`,
    needsYou: "Needs you",
    nothingNeedsYou: "Nothing needs you.",
    parts: {
      command: "Command",
      edit: "Change in",
      write: "New content of",
    },
    hiddenCharacters:
      "Characters that cannot be shown, or that would change the order of the text, appear as \uFFFD or by their number, like ⟦U+200B⟧.",
    allow: "Allow once",
    allowAnd: (what) => `Allow, ${what}`,
    allowWithAll: "Allow, with all of this",
    deny: "Deny",
    reason: "Why (the agent reads it)",
    answer: "Answer",
    ownWords: "In your own words",
    approve: "Approve the plan",
    sendBack: "Send back",
    choose: (role) => `Choose this request of ${role}`,
    chosen: (count) => `${count} chosen`,
    allowChosen: "Allow the chosen ones once",
    denyChosen: "Deny the chosen ones",
    dismiss: "Dismiss",
    restart: (role) => `Restart ${role}`,
    restartSure: (role) =>
      `Restart ${role}'s agent? A process of it that is still running is ended; it resumes its conversation.`,
    restartYes: "Yes, restart it",
    restarting: (role) => `${role} is being restarted …`,
    restartNotNeeded: (role) => `${role} was not restarted: its agent is running by now.`,
    cancel: "Cancel",
    failed: (message) => `That did not work: ${message}`,
    roles: "Roles",
    tokens: (input, cached, output) => `tokens: ${input} in, ${cached} cached, ${output} out`,
    turns: (count, empty) =>
      `${count === 1 ? "1 turn" : `${count} turns`}${empty === 0 ? "" : `, woken for nothing: ${empty}`}`,
    showScreen: (role) => `Look at the pane of ${role}`,
    closeScreen: "Close",
    noScreen: (reason) => `The pane cannot be shown: ${reason}`,
    campaign: "Campaign",
    campaignHelp:
      "Drag or use the arrow keys to move in time, + and - to zoom. Click an arrow to open its message; the list below has the same messages.",
    you: "you",
    stages: { stored: "stored", held: "held", rung: "rung", begun: "begun", read: "read" },
    earlier: "Earlier",
    later: "Later",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    now: "Now",
    everything: "The whole campaign",
    onlyRole: "Role",
    allRoles: "all",
    search: "Text",
    cut: (time) =>
      `There is more in this time than can be shown; this begins at ${time}. Zoom in to see the rest.`,
    nothingHere: "No message in this time.",
    messages: (count, shown) =>
      count > shown ? `The newest ${shown} of ${count} messages` : `Messages: ${count}`,
    story: "What happened to it",
    noBody: "The text of this message is not part of this file.",
    close: "Close",
    write: "Write",
    to: "To",
    everyone: "all roles",
    subject: "Subject (optional)",
    message: "Message",
    urgent: "urgent",
    send: "Send",
    sending: "Sending …",
    armies: "Armies",
    unread: (count) => `${count} unread`,
    exportedAt: (time) => `As of ${time}`,
  },
};
