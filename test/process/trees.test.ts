/** What the built program does with trees where a person has no session that could end, and where root's powers are not there. */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { WORK_FOLDER } from "../../src/mail/store/paths.ts";
import { handIn, takeTask } from "../../src/work/tasks.ts";
import { OVLD } from "../support/ovld.ts";
import { makePerson } from "../support/person.ts";
import { runCommand } from "../support/run-command.ts";
import { withoutRootsPowers } from "../support/unprivileged.ts";
import { beginWork, commit, makeWorkplace, task } from "../support/work.ts";

it("folders that a check has made read-only keep nothing from landing, and work that has not landed is named without Zellij", async () => {
  await using person = makePerson();
  person.army();
  const root = realpathSync(person.sandbox.root);
  const where = { root, folder: join(person.relayDir(), WORK_FOLDER) };
  const place = makeWorkplace(
    { "a.txt": "one\n" },
    { check: "mkdir -p cache/deep && echo > cache/deep/file && chmod -R a-w cache" },
    where,
  );
  const work = await beginWork(place, ["inferno"]);
  const hand = async (name: string): Promise<string> => {
    await takeTask(work, "inferno", work.board.add(task("Work")));
    commit(work.treeOf("inferno"), { [name]: "x\n" });
    return handIn(work, "inferno", new Date());
  };
  for (const name of ["b.txt", "c.txt"]) {
    const id = await hand(name);
    const words = [...withoutRootsPowers(), process.execPath, OVLD, "land", "--now"];
    expect(await runCommand(person.sandbox, ["env", ...words], { env: person.env })).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(work.board.find(id).state).toBe("landed");
  }
  const id = await hand("d.txt");
  const ended = await person.ovld(["unsummon", "--yes", "--force"], { env: { PATH: "/usr/bin:/bin" } });
  expect(ended.stdout).toContain(`${id} ready (inferno)`);
});
