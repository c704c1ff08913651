/** What whoever gave an order is told by mail about the agent that has it. */
import type { Trouble } from "../../army/words.ts";

export const ORDER_TEXTS = {
  subjects: {
    stalled: (role) => `${role} has stopped without a report`,
    asking: (role) => `${role} is waiting for an answer in its pane`,
    failed: (role) => `${role} cannot go on`,
    gone: (role) => `${role} is gone`,
    silent: (role) => `${role} has shown no sign of life for an hour`,
    idle: (role) => `${role} is idle and has not said that it is done`,
    done: (role) => `${role} says it is done, but sent no report`,
    blocked: (role) => `${role} says it is blocked`,
  } satisfies Record<Trouble, (role: string) => string>,
  /** `isReminded`: by the hook at the end of its turn. */
  stalled: (role: string, isReminded: boolean) =>
    isReminded
      ? `${role} ended its turn without a report or a question, was reminded once, and ended its turn again.`
      : `${role} has been at its prompt for ten minutes and has sent no report and no question.`,
  asking: (role: string, what: string) =>
    `${role} has been asking the person for ten minutes${what && `: ${what}`}. It does nothing until it has an answer.`,
  failed: (role: string, sentence: string) => `The turns of ${role} fail: ${sentence}.`,
  gone: (role: string) =>
    `The agent of ${role}, or its relay, has ended. The person can start it again with ovld restart ${role}.`,
  silent: (role: string) =>
    `${role} has used no tool and ended no turn for an hour. The person can look into its pane, or start it again with ovld restart ${role}.`,
  idle: (role: string) =>
    `${role} has written to you about it and has been at its prompt for ten minutes, but has not said that it is done or waits.`,
  done: (role: string) => `${role} set its status to done and did not write to you.`,
  blocked: (role: string) => `${role} set its status to blocked and did not say for whom it waits.`,
  mail: (subject: string, id: string) => `your mail ${subject} (${id})`,
  task: (subject: string, id: string) => `task ${id}, ${subject}`,
  question: (subject: string) =>
    subject === '""' ? "your question" : `your question while at work on ${subject}`,
  inHand: (role: string, list: string) => `${role} has this in hand: ${list}.`,
  lastWords: (words: string) => `Its last words: ${words}`,
};
