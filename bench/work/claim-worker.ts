/** One of six processes that claim tasks of one board, or as the floor rename files of their own in one folder. */
import { once } from "node:events";
import { join } from "node:path";
import * as z from "zod";
import { ROLES } from "../../src/army/roles.ts";
import { moveFile, syncPath } from "../../src/system/durable-files.ts";
import { openBoard } from "../../src/work/board.ts";

const jobSchema = z.object({ folder: z.string(), role: z.enum(ROLES), files: z.optional(z.int()) });

export type ClaimJob = z.infer<typeof jobSchema>;

const job = jobSchema.parse(JSON.parse(process.argv[2] ?? ""));
console.log("ready");
await once(process.stdin, "data");
process.stdin.destroy();
const began = readSharedClock();
const claimed = job.files === undefined ? claimAll(job) : renameOwn(job, job.files);
console.log(JSON.stringify({ claimed, began, ended: readSharedClock() }));

/** Everybody wants the first that is open, as everybody does who takes the next task. */
function claimAll({ folder, role }: ClaimJob): string[] {
  const board = openBoard(folder);
  const ids: string[] = [];
  for (;;) {
    const open = board.list().find(({ state }) => state === "open");
    if (open === undefined) return ids;
    if (board.move(open, "taken", role)) ids.push(open.id);
  }
}

function renameOwn({ folder, role }: ClaimJob, files: number): string[] {
  return Array.from({ length: files }, (_, at) => {
    moveFile(join(folder, `${role}-${at}`), join(folder, `${role}-${at}.taken`));
    syncPath(folder);
    return `${role}-${at}`;
  });
}

/** All processes share it. */
function readSharedClock(): number {
  return performance.timeOrigin + performance.now();
}
