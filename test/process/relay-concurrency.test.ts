import { expect, it } from "vitest";
import { otherRoles, ROLES, type Role } from "../../src/army/roles.ts";
import { startRelay, type RelayClient } from "../support/relay.ts";
import { makeSandbox } from "../support/sandbox.ts";

const EACH = 60;

it("DR1 six writers and two readers of one inbox at once lose nothing and duplicate nothing", async () => {
  await using sandbox = makeSandbox();
  const writers = await Promise.all(
    [...otherRoles("strategist"), "overlord" as const].map((role) => startRelay(sandbox, role)),
  );
  const readers = [await startRelay(sandbox, "strategist"), await startRelay(sandbox, "strategist")];
  let writing = true;
  const reading = readers.map((reader) => readAllWhile(reader, () => writing));
  await Promise.all(writers.map((writer) => writeTo(writer, "strategist")));
  writing = false;
  const read = (await Promise.all(reading)).flat();
  expect(read).toHaveLength(writers.length * EACH);
  expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
  expect(read.some(({ redelivered }) => redelivered)).toBe(false);
  // Each reader saw each writer's messages in the order they were sent; two writers are the overlord's.
  for (const reader of await Promise.all(reading)) {
    for (const role of ROLES.filter((each) => each !== "overlord")) {
      const numbers = reader.filter(({ from }) => from === role).map(({ subject }) => Number(subject));
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    }
  }
});

it("a relay that is called many times at once answers each call", async () => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "overlord");
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      call("send_message", { to: "storm", subject: `${index}`, body: "" }),
    ),
  );
  expect(answers.filter(({ text }) => !text.includes("stored"))).toEqual([]);
  expect(new Set(answers.map(({ meta }) => meta?.["id"])).size).toBe(50);
});

interface Seen {
  id: string;
  from: Role;
  subject: string;
  redelivered?: boolean;
}

async function writeTo({ call }: RelayClient, to: Role): Promise<void> {
  for (let count = 0; count < EACH; count += 1) {
    // On a busy machine the answer may also say why the reader was not woken yet.
    expect((await call("send_message", { to, subject: `${count}`, body: "…" })).text).toContain("stored");
  }
}

async function readAllWhile({ call }: RelayClient, writing: () => boolean): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let last = false; !last;) {
    last = !writing();
    seen.push(...(await call("check_inbox")).json);
  }
  return seen;
}
