/** What the desk says: the command, its server, and its page. */
import type { Stage } from "../../army/words.ts";

export const DESK_TEXTS = {
  openingLink: (link: string, minutes: number) =>
    `Open this link in your browser. It works once, for ${minutes} minutes:\n\n  ${link}\n`,
  opened: "The desk was opened in a browser.",
  keys: "Press Enter for a new link, and Ctrl-C to end the desk. The army does not depend on it.",
  exported: (file: string, messages: number) =>
    `${file} shows the campaign: ${messages === 1 ? "1 message" : `${messages} messages`}. It opens in any browser, without ovld.`,
  exportedPart: (messages: number) =>
    `The journal has more than the file can hold: only the newest ${messages} are in it.`,
  /** Why a request is refused, for a person who reads it in a browser. */
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
    title: (army: string) => `${army} – ovld desk`,
    otherLanguage: "日本語",
    connecting: "Connecting …",
    cutOff: "The desk does not answer. If ovld desk has ended, start it again.",
    resting: "The desk is open in many tabs, so this one rests. It continues when you use it.",
    noArmy: (army: string) =>
      `There is no army called ${army} right now. This page shows it as soon as there is one.`,
    trouble: (reason: string) => `The army could not be looked at: ${reason}`,
    needsYou: "Needs you",
    nothingNeedsYou: "Nothing needs you.",
    /** Above the parts of what an agent wants to do. */
    parts: {
      command: "Command",
      edit: "Change in",
      write: "New content of",
    },
    /** The text contains characters that are not shown as they are. */
    hiddenCharacters:
      "Characters that cannot be shown, or that would change the order of the text, appear as \uFFFD or by their number, like ⟦U+200B⟧.",
    allow: "Allow once",
    allowAnd: (what: string) => `Allow, ${what}`,
    /** With everything that the dialog offers, as the dialog itself would. */
    allowWithAll: "Allow, with all of this",
    deny: "Deny",
    reason: "Why (the agent reads it)",
    answer: "Answer",
    ownWords: "In your own words",
    approve: "Approve the plan",
    sendBack: "Send back",
    choose: (role: string) => `Choose this request of ${role}`,
    chosen: (count: number) => `${count} chosen`,
    allowChosen: "Allow the chosen ones once",
    denyChosen: "Deny the chosen ones",
    dismiss: "Dismiss",
    restart: (role: string) => `Restart ${role}`,
    restartSure: (role: string) =>
      `Restart ${role}'s agent? A process of it that is still running is ended; it resumes its conversation.`,
    restartYes: "Yes, restart it",
    restarting: (role: string) => `${role} is being restarted …`,
    restartNotNeeded: (role: string) => `${role} was not restarted: its agent is running by now.`,
    cancel: "Cancel",
    failed: (message: string) => `That did not work: ${message}`,
    roles: "Roles",
    tokens: (input: string, cached: string, output: string) =>
      `tokens: ${input} in, ${cached} cached, ${output} out`,
    turns: (count: number, empty: number) =>
      `${count === 1 ? "1 turn" : `${count} turns`}${empty === 0 ? "" : `, woken for nothing: ${empty}`}`,
    showScreen: (role: string) => `Look at the pane of ${role}`,
    closeScreen: "Close",
    noScreen: (reason: string) => `The pane cannot be shown: ${reason}`,
    campaign: "Campaign",
    campaignHelp:
      "Drag or use the arrow keys to move in time, + and - to zoom. Click an arrow to open its message; the list below has the same messages.",
    you: "you",
    stages: { stored: "waiting", held: "held", rung: "rung", begun: "begun", read: "read" } satisfies Record<
      Stage,
      string
    >,
    earlier: "Earlier",
    later: "Later",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    now: "Now",
    everything: "The whole campaign",
    onlyRole: "Role",
    allRoles: "all",
    search: "Text",
    cut: (time: string) =>
      `There is more in this time than can be shown; this begins at ${time}. Zoom in to see the rest.`,
    nothingHere: "No message in this time.",
    messages: (count: number, shown: number) =>
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
    unread: (count: number) => `${count} waiting`,
    exportedAt: (time: string) => `As of ${time}`,
  },
};
