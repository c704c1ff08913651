import { chmodSync, lutimesSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { takeLock } from "../../src/system/lock-file.ts";
import { OVLD } from "../support/ovld.ts";
import { makePerson, type Person } from "../support/person.ts";
import { startCommand } from "../support/run-command.ts";
import { giveToNobody } from "../support/unprivileged.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A folder where the army's lock would be, with one file in it. */
function plantLock(person: Person, owner: string): string {
  const path = `${person.relayDir()}.lock`;
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, owner), "");
  return path;
}

it("a lock that may not be opened is reported and moved aside once it is old", async () => {
  await using person = makePerson();
  const path = plantLock(person, "notes");
  const user = giveToNobody(person.sandbox.root);
  chmodSync(path, 0o000);
  person.sandbox.defer(() => {
    for (const name of readdirSync(dirname(path))) chmodSync(join(dirname(path), name), 0o700);
  });
  const longAgo = new Date(Date.now() - 60_000);
  lutimesSync(path, longAgo, longAgo);
  const run = await person.ovld(["unsummon", "--force"], { user, withinMs: 15_000 });
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining(`${path} is not an ovld lock`) });
  expect(readdirSync(dirname(path))).toEqual([expect.stringMatching(/^relay\.lock\.foreign-/)]);
});

it("a command that waits for a living process's lock says for which", async () => {
  await using person = makePerson();
  const path = `${person.relayDir()}.lock`;
  const lock = await takeLock(path, AbortSignal.timeout(20_000));
  const words = `"${process.execPath}" "${OVLD}" unsummon --force 2>&1`;
  const { stdout, ended } = startCommand(person.sandbox, ["sh", "-c", words], { env: person.env });
  await waitUntil("it says so", () =>
    stdout().includes(`Waiting for process ${process.pid}, which holds ${path}`),
  );
  lock.release();
  expect((await ended).code).toBe(0);
});
