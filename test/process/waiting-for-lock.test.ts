import { expect, it } from "vitest";
import { takeLock } from "../../src/system/lock-file.ts";
import { OVLD } from "../support/ovld.ts";
import { makePerson } from "../support/person.ts";
import { startCommand } from "../support/run-command.ts";
import { waitUntil } from "../support/wait-until.ts";

it("a command that waits for a living process's lock says for which", async () => {
  await using person = makePerson();
  const path = `${person.relayDir()}.lock`;
  const lock = await takeLock(path, AbortSignal.timeout(20_000));
  const words = `"${process.execPath}" "${OVLD}" unsummon --yes 2>&1`;
  const { stdout, ended } = startCommand(person.sandbox, ["sh", "-c", words], { env: person.env });
  await waitUntil("it says so", () =>
    stdout().includes(`Waiting for process ${process.pid}, which holds ${path}`),
  );
  lock.release();
  expect((await ended).code).toBe(0);
});
