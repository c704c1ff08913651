/** What answering an agent's request says to the person. */
import type { Desk, RequestKind } from "../../army/words.ts";

type Place = "session" | "local" | "project" | "user";

export interface AnswerTexts {
  nothing: string;
  noneOf(role: string): string;
  asks: Record<RequestKind | "command" | "edit" | "write", (role: string, tool: string) => string>;
  /** Follows who asks what, if there are several armies. */
  ofArmy(session: string): string;
  since(age: string): string;
  file(path: string): string;
  /** The file that a path with links in it really leads to. */
  target(path: string): string;
  everywhere: string;
  /** What else the tool would be called with. */
  rest: string;
  tooLarge(bytes: number): string;
  /** What the dialog offers besides a single yes. */
  offers: string;
  suggestions: {
    rules(behavior: string, rules: string, where: Place): string;
    folders(folders: string, where: Place): string;
    mode(mode: string, where: Place): string;
    other(text: string): string;
  };
  several: string;
  prompts: { permission: string; plan: string; one: string; several: string };
  why: string;
  whatInstead: string;
  notUnderstood: string;
  /** After a request has gone away. */
  next: string;
  /** About the answer that the arguments give. */
  askToAnswer: string;
  /** How to answer it in a script. */
  how(command: string): string;
  /** A desktop notification: who asks, and how to answer. */
  notification(role: string, session: string): string;
  outcomes: {
    taken(role: string): string;
    already(role: string, by: Desk | "pane"): string;
    gone(role: string): string;
    unconfirmed(role: string): string;
  };
}

const PLACES: Record<Place, string> = {
  session: "in this conversation",
  local: "for you in this project",
  project: "for everybody in this project",
  user: "for you in all projects",
};

const WHERE: Record<Desk | "pane", string> = {
  pane: "in its pane",
  desk: "at the desk",
  terminal: "in a terminal",
};

export const ANSWER_TEXTS: AnswerTexts = {
  nothing: "No agent is asking you anything that can be answered here.",
  noneOf: (role) => `${role} is not asking you anything that can be answered here.`,
  asks: {
    permission: (role, tool) => `${role} asks to use ${tool}`,
    command: (role, tool) => `${role} asks to run a command (${tool})`,
    edit: (role, tool) => `${role} asks to change a file (${tool})`,
    write: (role, tool) => `${role} asks to write a file (${tool})`,
    question: (role) => `${role} asks you`,
    plan: (role) => `${role} asks you to approve its plan`,
    oversized: (role, tool) => `${role} asks to use ${tool}`,
  },
  ofArmy: (session) => `in army ${session}`,
  since: (age) => `asked ${age} ago`,
  file: (path) => `File: ${path}`,
  target: (path) => `The path leads through a link to: ${path}`,
  everywhere: "Wherever this occurs in the file:",
  rest: "Also:",
  tooLarge: (bytes) =>
    `This is ${bytes} bytes long, too much to be shown here in full. Answer it in the agent's pane.`,
  offers: "You can also allow it",
  suggestions: {
    rules: (behavior, rules, where) => `and ${behavior} ${rules} ${PLACES[where]}`,
    folders: (folders, where) => `and give access to ${folders} ${PLACES[where]}`,
    mode: (mode, where) => `and change the permission mode to ${mode} ${PLACES[where]}`,
    other: (text) => `with ${text}`,
  },
  several: "(several can be chosen)",
  prompts: {
    permission: "y allow once, number allow with that, n deny, Enter later, q stop: ",
    plan: "y approve, number approve with that, n send back, Enter later, q stop: ",
    one: "Number, or your own words; Enter to answer later: ",
    several: "Numbers separated by commas, or your own words; Enter to answer later: ",
  },
  why: "Why? The agent reads this. Press Enter to give no reason: ",
  whatInstead: "What should be different? ",
  notUnderstood: "That is not one of the choices.",
  next: "Press Enter to see the next one: ",
  askToAnswer: "Answer this request so? [y/N] ",
  how: (command) => `Answer with ${command}`,
  notification: (role, session) => `${role} is asking you (army ${session})`,
  outcomes: {
    taken: (role) => `${role} has your answer.`,
    already: (role, by) => `${role} had already been answered ${WHERE[by]}.`,
    gone: (role) => `${role} no longer asks: its agent has ended.`,
    unconfirmed: (role) =>
      `The answer is stored, but ${role}'s relay has not said yet whether the agent took it. Look at its pane.`,
  },
};
