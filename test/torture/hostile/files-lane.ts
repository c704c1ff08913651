/** Strange files in a store, while an unprivileged process uses it. */
import * as fc from "fast-check";
import { makeSandbox } from "../../support/sandbox.ts";
import { giveToNobody } from "../../support/unprivileged.ts";
import { bundleWorker } from "../bundle-worker.ts";
import type { Lane } from "./hostile.ts";
import { plant } from "./inputs.ts";
import { watchWorker } from "./watched-worker.ts";

const BATCH = 100;

export async function attackFiles({ count, seed, tell, breach }: Lane): Promise<void> {
  await using sandbox = makeSandbox();
  const program = await bundleWorker(sandbox, "test/torture/hostile/files-worker.ts");
  const user = giveToNobody(sandbox.root);
  const worker = watchWorker(sandbox, { program, env: sandbox.env, cwd: sandbox.root, user });
  for (let done = 0; done < count; done += BATCH) {
    const inputs = fc.sample(plant, { seed: seed + done, numRuns: Math.min(BATCH, count - done) });
    for (const input of inputs) {
      const outcome = await worker.give(input);
      const breaches: string[] = "breach" in outcome ? [outcome.breach] : outcome.reply.breaches;
      for (const each of breaches) breach(`${each}; input ${JSON.stringify(input).slice(0, 1_000)}`);
      tell(1);
    }
  }
}
