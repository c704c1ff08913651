/** Hands in what is committed in a copy's tree, and kills itself at a step if told to: of the copy or of the board. */
import { answerCopy, exchange } from "../../src/work/copies.ts";
import { handIn } from "../../src/work/tasks.ts";
import type { WorkStep } from "../../src/work/work.ts";
import { openAgain, ROLE } from "./copies.ts";

export interface CopyPlan {
  board: string;
  copy: string;
  dies: "board" | "copy";
  at: WorkStep;
}

const plan: CopyPlan = JSON.parse(process.argv[2] ?? "");
const open = (which: "board" | "copy") =>
  openAgain(plan[which], process.env, (step) => {
    if (plan.dies === which && plan.at === step) process.kill(process.pid, "SIGKILL");
  });
const [board, copy] = [open("board"), open("copy")];
await handIn(copy, ROLE, new Date());
const ask = (question: string) => answerCopy(board, ROLE, question);
await exchange({ work: copy, role: ROLE, ask, tell: () => {} });
