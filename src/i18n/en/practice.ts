/** What `ovld practice` says to the person. */
import { shellWord } from "../../system/shell-word.ts";
import { countOf } from "./count-of.ts";
import type { BellState } from "../../army/words.ts";

export const PRACTICE_TEXTS = {
  defaultWish: "A small castle with a moat",
  opening: (session: string, wish: string) => `Summoning the practice army ${session}. The wish: ${wish}`,
  resuming: (session: string, wish: string) =>
    `Bringing the practice army ${session} back. The wish: ${wish}`,
  machine: (name: string, roles: string) => `Machine ${name}: ${roles}`,
  watch: (session: string) =>
    `Watch it from another terminal with: ovld summon --session ${shellWord(session)}`,
  seconds: (number: string) => `${number} s`,
  stored: (from: string, to: string, subject: string) => `${from} → ${to}: ${subject}`,
  read: (role: string, subject: string) => `${role} has read: ${subject}`,
  board: "The status of each agent:",
  counts: (stored: number, read: number, time: string) =>
    `${countOf(stored, "message")} stored, ${read} read, ${time}`,
  fulfilled: (counts: string) => `The wish is fulfilled: ${counts}.`,
  unfulfilled: (counts: string) => `The wish is not fulfilled: ${counts}.`,
  noProgress: (time: string) => `Nothing has happened for ${time}.`,
  sessionEnded: "Somebody else has ended the session.",
  missing: "What is missing:",
  unread: (to: string, from: string, subject: string, why: string) =>
    `${to} has not read "${subject}" from ${from}: ${why}`,
  neverStarted: "its agent has not started its relay",
  state: (agent: string, bell: string) => `its agent's state: ${agent}; its bell: ${bell}`,
  bells: { quiet: "not rung", rung: "rung", begun: "begun", unanswered: "unanswered" } satisfies Record<
    Exclude<BellState, "held">,
    string
  >,
  atWork: (roles: string) => `still working: ${roles}`,
  noReport: (status: string) => `the overlord has not reported the result; its status is ${status}`,
};
