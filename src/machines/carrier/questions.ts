/**
 * Questions about tasks, from a role of one machine to the machine with the board of tasks, and the answers. Each is one
 * value on the hub's board, which only that role, or the strategist for the answers, can write. Whoever gets no answer asks
 * again, so the hub need not keep them for long.
 */
import { ROLES, type Role } from "../../army/roles.ts";
import type { AskBoard, TaskBoard, TaskCopy } from "../../mail/other-machines.ts";
import { oneAtATime, pause } from "../../system/async.ts";
import { readBoard, writeBoard } from "./board.ts";
import { makeKey } from "./envelope.ts";
import type { Link } from "./link.ts";
import { BOARD_QUESTION, BOARD_TASKS } from "./subjects.ts";

const KEPT_SECONDS = 120;
/** Git at the other end may have much to do. */
const ANSWER_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** News is sent; this is for what was handed in while nobody answered. */
const ASK_EVERY_MS = 15_000;
const TEXT = /^([\da-z]{24}) ([^]*)$/;

/** Undefined if nobody has answered in time. */
export async function askBoard(link: Link, role: Role, question: string): Promise<string | undefined> {
  const until = performance.now() + ANSWER_WITHIN_MS;
  const key = makeKey();
  const text = `${key} ${question}`;
  await writeBoard(link, { kind: "question", user: role, text, ttlSeconds: KEPT_SECONDS });
  while (link.up() !== undefined && performance.now() < until) {
    const found = await readBoard(link, `answer-${role}`, "strategist");
    const [, to, answer] = TEXT.exec(found?.text ?? "") ?? [];
    if (to === key) return answer;
    await pause(LOOK_EVERY_MS);
  }
  return undefined;
}

/** The strategist's part: answers, one after the other, and says when there is something new. */
export function answerQuestions(link: Link, tasks: TaskBoard): { close(): void } {
  const waiting = new Map<Role, string>();
  const answered = new Map<Role, string>();
  const answerAll = oneAtATime(async () => {
    for (const [role, text] of waiting) {
      waiting.delete(role);
      const [, key, question] = TEXT.exec(text) ?? [];
      if (key === undefined || question === undefined || answered.get(role) === key) continue;
      answered.set(role, key);
      const said = await tasks.answer(role, question).catch(() => undefined);
      if (said === undefined) continue;
      const value = { kind: `answer-${role}`, user: "strategist", text: `${key} ${said}` } as const;
      await writeBoard(link, { ...value, ttlSeconds: KEPT_SECONDS });
    }
  });
  const hear = (role: Role, text: string): void => {
    waiting.set(role, text);
    answerAll();
  };
  link.listen(BOARD_QUESTION, (message) => {
    for (const role of ROLES)
      if (message?.subject.endsWith(`.${role}`)) hear(role, message.string());
      else if (message === undefined)
        void readBoard(link, "question", role).then((found) => found && hear(role, found.text));
  });
  return tasks.watch(() => void writeBoard(link, { kind: "tasks", user: "strategist", text: makeKey() }));
}

/** The part of a role on another machine: its copy of the board follows. */
export function followBoard(link: Link, role: Role, tasks: TaskCopy): { close(): void } {
  const ask: AskBoard = (question) => askBoard(link, role, question);
  const look = oneAtATime(() => tasks.follow(ask));
  link.listen(BOARD_TASKS, look);
  const repeat = setInterval(() => link.up() && look(), ASK_EVERY_MS).unref();
  return { close: () => clearInterval(repeat) };
}
