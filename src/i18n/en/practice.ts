/** What `ovld practice` says, and what the practice agents say to each other. */
import { shellWord } from "../../system/text.ts";
import { countOf } from "../sentences.ts";
import type { Role, Sender } from "../../army/roles.ts";

export const PRACTICE_TEXTS = {
  defaultWish: "A small castle with a moat",
  opening: (session: string, wish: string) => `Summoning the practice army ${session}. The wish: ${wish}`,
  resuming: (session: string, wish: string) =>
    `Bringing the practice army ${session} back. The wish: ${wish}`,
  treesAlone:
    "--trees is for a new campaign on one machine, so it cannot be used with --resume or --machines.",
  machine: (name: string, roles: string) => `Machine ${name}: ${roles}`,
  watch: (session: string) => `Watch it from another terminal with: ovld summon --army ${shellWord(session)}`,
  seconds: (number: string) => `${number} s`,
  stored: (from: string, to: string, subject: string) => `${from} → ${to}: ${subject}`,
  read: (role: string, subject: string) => `${role} has read: ${subject}`,
  board: "The status of each agent:",
  counts: (stored: number, read: number, time: string) =>
    `${countOf(stored, "message")} sent, ${read} read, ${time}`,
  fulfilled: (counts: string) => `The wish is fulfilled: ${counts}.`,
  unfulfilled: (counts: string) => `The wish is not fulfilled: ${counts}.`,
  noProgress: (time: string) => `Nothing has happened for ${time}.`,
  sessionEnded: "Somebody else has ended the army.",
  missing: "What is missing:",
  unread: (to: string, from: string, subject: string, why: string) =>
    `${to} has not read "${subject}" from ${from}: ${why}`,
  neverStarted: "its agent has not started its relay",
  state: (agent: string, bell: string) => `its agent's state: ${agent}; its mail: ${bell}`,
  notNotified: "not notified",
  atWork: (roles: string) => `still working: ${roles}`,
  noReport: (status: string) => `the overlord has not reported the result; its status is ${status}`,
};

interface Craft {
  work: readonly string[];
  result: string;
}

export type GeneralName = Exclude<Role, "overlord" | "strategist">;

export const PLAY_TEXTS = {
  /** The first line in a pane. */
  greeting: (role: Role) => `${role} · practice army: no account, no network, no tokens`,
  /** Answers to a ritual. */
  ready: {
    overlord: "Ready. Speak your wish.",
    strategist: "Ready. The map is on the table.",
    inferno: "Ready. The forge is hot.",
    glacier: "Ready. Every stone has its place.",
    shadow: "Ready. I see what hides.",
    storm: "Ready. The wind is with us.",
  } satisfies Record<Role, string>,
  /** Answers to a prompt that is not a wish. */
  idleTalk: {
    strategist: "I plan for the overlord. Tell the overlord your wish.",
    inferno: "In practice the strategist lights my fire. Tell the overlord your wish.",
    glacier: "I move when the strategist says so.",
    shadow: "The strategist knows where to find me.",
    storm: "I blow where the strategist points.",
  } satisfies Record<Exclude<Role, "overlord">, string>,
  wishHeard: (wish: string) => `A wish: "${wish}". So be it. The strategist shall see to it.`,
  order: (wish: string) => ({
    subject: `Order: ${wish}`,
    body: `The person wishes: ${wish}\nSplit it among the four generals, and report when all four have reported.`,
  }),
  orderWaits: (order: string) => `Another order. It waits until the current one is done: ${order}`,
  orderSplit: (count: number) => `I split it into ${count} tasks, one for each general.`,
  planning: "four tasks are out",
  task: (general: GeneralName, order: string) => ({
    subject: `Task for ${general}: ${TASKS[general]}`,
    body: `Your part: ${TASKS[general]}.\n\n${order}`,
  }),
  crafts: {
    inferno: {
      work: ["Heating the core", "Hammering the logic", "Quenching the blade"],
      result: "the core holds",
    },
    glacier: {
      work: ["Measuring the ground", "Laying the stones", "Freezing the joints"],
      result: "the structure stands",
    },
    shadow: {
      work: ["Slipping in unseen", "Trying every door", "Closing the last gap"],
      result: "no weak point is left open",
    },
    storm: {
      work: ["Gathering clouds", "Sweeping the halls", "Letting in the light"],
      result: "it can be used and read",
    },
  } satisfies Record<GeneralName, Craft>,
  report: (task: string, result: string) => ({
    subject: `Report: ${task}`,
    body: `Done: ${result}. Open: nothing.`,
  }),
  reportHeard: (general: string, missing: number) =>
    missing === 0 ? `${general} reports. That was the last.` : `${general} reports. ${missing} to come.`,
  finalReport: (gathered: string, files: string) => ({
    subject: "Report: all four generals are done",
    body: `All four have reported.\n${gathered}\n(${files})`,
  }),
  noFiles: "Practice: no file was touched.",
  landedOn: (target: string) => `Practice: the work is on the branch ${target} of a repository made for it.`,
  allReported: "all four have reported",
  wishFulfilled: (report: string) => `Your wish is fulfilled.\n${report}\n(Ctrl-q ends the army.)`,
  /** The overlord's question to the person, and what it says then. */
  question: {
    subject: "A flag on the tower?",
    body: "Shall there be a flag on the tower? Without an answer I assume yes.",
  },
  answerHeard: (answer: string) => `You answer: ${answer}. So be it.`,
  wishReport: (report: string, isAssumed: boolean) => ({
    subject: "Your wish is fulfilled",
    body: `${report}${isAssumed ? "\nI had no answer from you, so I assumed yes: there is a flag on the tower." : ""}`,
  }),
  noted: (from: Sender) => `Noted, ${from}.`,
  noMail: "No mail. A false alarm.",
  mailRead: (from: Sender, subject: string) => `Mail from ${from}: ${subject}`,
  toolFailed: (tool: string, said: string) => `${tool} failed: ${said}`,
  askToRun: (command: string) => ["The agent wants to run", command, "Do you want to proceed?"],
  interrupted: "Interrupted.",
  withoutRelay: "My relay has ended. I continue without mail.",
  relaySays: (line: string) => `Relay: ${line}`,
};

const TASKS: Record<GeneralName, string> = {
  inferno: "the core logic",
  glacier: "structure and types",
  shadow: "tests and weak points",
  storm: "interface and words",
};
