import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { closeTrees } from "../../../src/summon/army-trees.ts";
import { withLandingLock } from "../../../src/work/recover.ts";
import { beginWork, makeWorkplace } from "../../support/work.ts";

it("the trees of an army that ends are left alone while somebody lands, and otherwise closed with what a check has left running", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const relayDir = dirname(place.folder);
  await withLandingLock(work, new AbortController().signal, async () => {
    await expect(closeTrees(relayDir, place.env)).rejects.toMatchObject({
      report: { code: "file-unfit", facts: { problem: "busy" } },
    });
  });
  const check = spawn("sleep", ["1000"], { env: { ...work.env, OVLD_CHECK: "1" } });
  const ended = once(check, "exit");
  await once(check, "spawn");
  expect(await closeTrees(relayDir, place.env)).toEqual({ trees: [], tasks: [], ahead: undefined });
  expect(await ended).toEqual([null, "SIGKILL"]);
});
