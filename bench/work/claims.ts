/** Six processes claim the tasks of one board, all of them the first one that is open. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ROLES } from "../../src/army/roles.ts";
import { openBoard } from "../../src/work/board.ts";
import { bundleWorker } from "../../test/torture/bundle-worker.ts";
import { makeSandbox } from "../../test/support/sandbox.ts";
import { task } from "../../test/support/work.ts";
import { talkWith } from "../line-talk.ts";
import { makeWorkplace } from "../workplace.ts";
import type { ClaimJob } from "./claim-worker.ts";

export interface Claims {
  perSecond: number;
  /** Renames of files that nobody else wants, each synced as a claim is. */
  bareRenamesPerSecond: number;
  /** Tasks that two processes believe to have. */
  doubled: string[];
  /** Tasks that nobody has, or that the board gives to another than its winner. */
  lost: string[];
}

const answerSchema = z.object({ claimed: z.array(z.string()), began: z.number(), ended: z.number() });

export async function measureClaims(tasks: number, stop: AbortSignal): Promise<Claims> {
  await using sandbox = makeSandbox();
  const worker = await bundleWorker(sandbox, "bench/work/claim-worker.ts");
  const place = makeWorkplace(false);
  const leave = (): void => place.leave();
  stop.addEventListener("abort", leave);
  try {
    const bare = place.makeFolder();
    const each = Math.ceil(tasks / ROLES.length);
    for (const role of ROLES)
      for (let at = 0; at < each; at += 1) writeFileSync(join(bare, `${role}-${at}`), "");
    const floor = await runAll(ROLES.map((role) => ({ folder: bare, role, files: each })));
    const folder = place.makeFolder();
    const board = openBoard(folder);
    const ids = Array.from({ length: tasks }, (_, at) => board.add(task(`Task ${at}`)));
    const { answers, seconds } = await runAll(ROLES.map((role) => ({ folder, role })));
    const winners = ids.map((id) => answers.filter(({ claimed }) => claimed.includes(id)));
    const owners = new Map(board.list().map(({ id, owner }) => [id, owner]));
    return {
      perSecond: tasks / seconds,
      bareRenamesPerSecond: (each * ROLES.length) / floor.seconds,
      doubled: ids.filter((_id, at) => (winners[at]?.length ?? 0) > 1),
      lost: ids.filter((id, at) => !winners[at]?.some(({ role }) => role === owners.get(id))),
    };
  } finally {
    stop.removeEventListener("abort", leave);
    place.leave();
  }

  async function runAll(jobs: ClaimJob[]) {
    const talks = jobs.map((job) => ({
      role: job.role,
      talk: talkWith(place.startNode([worker, JSON.stringify(job)])),
    }));
    for (const { talk } of talks) await talk.hear();
    for (const { talk } of talks) talk.say("go");
    const answers = await Promise.all(
      talks.map(async ({ role, talk }) => ({ role, ...answerSchema.parse(JSON.parse(await talk.hear())) })),
    );
    await Promise.all(talks.map(({ talk }) => talk.end()));
    const began = Math.min(...answers.map((answer) => answer.began));
    const ended = Math.max(...answers.map((answer) => answer.ended));
    return { answers, seconds: (ended - began) / 1000 };
  }
}
