/** What answering an agent's request says to the person. */
import type { Desk, RequestKind } from "../../army/words.ts";

type Place = "session" | "local" | "project" | "user";

const PLACES: Record<Place, string> = {
  session: "in this conversation",
  local: "in this project, by your own settings",
  project: "in this project, by everybody's settings",
  user: "in all your projects",
};

const WHERE: Record<Desk | "pane", string> = {
  pane: "in its pane",
  desk: "at the desk",
  terminal: "in a terminal",
};

export const ANSWER_TEXTS = {
  nothing: "Nothing to answer. Questions typed in a pane are not listed here; see ovld status.",
  noneOf: (role: string) => `Nothing to answer for ${role}.`,
  asks: {
    permission: (role, tool) => `${role} asks to use ${tool}`,
    command: (role, tool) => `${role} asks to run a command (${tool})`,
    edit: (role, tool) => `${role} asks to change a file (${tool})`,
    write: (role, tool) => `${role} asks to write a file (${tool})`,
    question: (role: string, _tool: string) => `${role} asks you`,
    plan: (role: string, _tool: string) => `${role} asks you to approve its plan`,
    oversized: (role, tool) => `${role} asks to use ${tool}`,
  } satisfies Record<RequestKind | "command" | "edit" | "write", (role: string, tool: string) => string>,
  /** Follows who asks what, if there are several armies. */
  ofArmy: (session: string) => `in army ${session}`,
  since: (age: string) => `asked ${age} ago`,
  file: (path: string) => `File: ${path}`,
  /** The file that a path with links in it really leads to. */
  target: (path: string) => `The path leads through a link to: ${path}`,
  everywhere: "Wherever this occurs in the file:",
  /** What else the tool would be called with. */
  rest: "Also:",
  tooLarge: (bytes: number) =>
    `This is ${bytes} bytes long, too much to be shown here in full. Answer it in the agent's pane.`,
  /** What the dialog offers besides a single yes. */
  offers: "You can also allow it",
  suggestions: {
    rules: (behavior: string, rules: string, where: Place) =>
      `and ${behavior === "allow" ? "don't ask again for" : behavior} ${rules} ${PLACES[where]}`,
    folders: (folders: string, where: Place) => `and give access to ${folders} ${PLACES[where]}`,
    mode: (mode: string, where: Place) => `and change the permission mode to ${mode} ${PLACES[where]}`,
    other: (text: string) => `with ${text}`,
  },
  several: "(several can be chosen)",
  prompts: {
    permission: "[y] allow once  [number] allow and remember  [n] deny  [Enter] skip  [q] quit: ",
    plan: "[y] approve  [number] approve with that  [n] send back  [Enter] skip  [q] quit: ",
    one: "Number, or your own words  [Enter] skip: ",
    held: "[y] let them go on  [n] leave it held  [Enter] skip  [q] quit: ",
    several: "Numbers separated by commas, or your own words  [Enter] skip: ",
  },
  /** What the person has decided about mail that is held. */
  held: {
    go: (role: string) => `${role} goes on: what was held wakes it.`,
    stop: (role: string) => `What is held stays held, until you run ovld answer ${role} allow.`,
  },
  why: "Reason for the agent (optional): ",
  whatInstead: "What should be different? ",
  notUnderstood: "That is not one of the choices.",
  /** After a request has gone away. */
  next: "Press Enter to see the next one: ",
  /** About the answer that the arguments give. */
  askToAnswer: "Give this answer? [y/N] ",
  /** How to answer it in a script. */
  how: (command: string) => `Answer with ${command}`,
  /** A desktop notification: who asks, and how to answer. */
  notification: (role: string, session: string) => `${role} is asking you (army ${session})`,
  outcomes: {
    taken: (role: string) => `${role} has your answer.`,
    already: (role: string, by: Desk | "pane") => `${role} had already been answered ${WHERE[by]}.`,
    gone: (role: string) => `${role} no longer asks: its agent has ended.`,
    unconfirmed: (role: string) =>
      `The answer is stored, but ${role}'s relay has not said yet whether the agent took it. Look at its pane.`,
  },
};
