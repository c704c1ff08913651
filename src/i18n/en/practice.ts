/** What `ovld practice` says to the person. */
import { shellWord } from "../../system/shell-word.ts";
import { countOf } from "./count-of.ts";
import type { BellState } from "../../army/words.ts";

export interface PracticeTexts {
  defaultWish: string;
  opening(session: string, wish: string): string;
  resuming(session: string, wish: string): string;
  watch(session: string): string;
  machine(name: string, roles: string): string;
  seconds(number: string): string;
  stored(from: string, to: string, subject: string): string;
  read(role: string, subject: string): string;
  board: string;
  counts(stored: number, read: number, time: string): string;
  fulfilled(counts: string): string;
  unfulfilled(counts: string): string;
  noProgress(time: string): string;
  sessionEnded: string;
  missing: string;
  unread(to: string, from: string, subject: string, why: string): string;
  neverStarted: string;
  state(agent: string, bell: string): string;
  bells: Record<Exclude<BellState, "held">, string>;
  atWork(roles: string): string;
  noReport(status: string): string;
}

export const PRACTICE_TEXTS: PracticeTexts = {
  defaultWish: "A small castle with a moat",
  opening: (session, wish) => `Summoning the practice army ${session}. The wish: ${wish}`,
  resuming: (session, wish) => `Bringing the practice army ${session} back. The wish: ${wish}`,
  machine: (name, roles) => `Machine ${name}: ${roles}`,
  watch: (session) => `Watch it from another terminal with: ovld summon --session ${shellWord(session)}`,
  seconds: (number) => `${number} s`,
  stored: (from, to, subject) => `${from} → ${to}: ${subject}`,
  read: (role, subject) => `${role} has read: ${subject}`,
  board: "The status of each agent:",
  counts: (stored, read, time) => `${countOf(stored, "message")} stored, ${read} read, ${time}`,
  fulfilled: (counts) => `The wish is fulfilled: ${counts}.`,
  unfulfilled: (counts) => `The wish is not fulfilled: ${counts}.`,
  noProgress: (time) => `Nothing has happened for ${time}.`,
  sessionEnded: "Somebody else has ended the session.",
  missing: "What is missing:",
  unread: (to, from, subject, why) => `${to} has not read "${subject}" from ${from}: ${why}`,
  neverStarted: "its agent has not started its relay",
  state: (agent, bell) => `its agent's state: ${agent}; its bell: ${bell}`,
  bells: { quiet: "not rung", rung: "rung", begun: "begun", unanswered: "unanswered" },
  atWork: (roles) => `still working: ${roles}`,
  noReport: (status) => `the overlord has not reported the result; its status is ${status}`,
};
