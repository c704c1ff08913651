import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openOutbox, type Waiting } from "../../src/machines/carrier/send-mail.ts";
import { makePerson } from "../support/person.ts";
import { makeStore } from "../support/store.ts";
import { giveToNobody } from "../support/unprivileged.ts";

const WAITING: Waiting = {
  key: "k",
  subject: "s",
  to: "storm",
  text: "{}",
  at: "2026-11-15T00:00:00.000Z",
};
const DEAD = "999999999-1.dead";

it("passing mail on removes nothing from the outbox but its own files", async () => {
  await using store = makeStore();
  const outbox = openOutbox(store.path("hub/outbox"));
  outbox.keep("inferno", WAITING);
  const folder = store.path("hub/outbox/inferno");
  const foreign = [".bashrc", ".git", `.${DEAD}`, `.${DEAD}-abcdef~notes`];
  for (const name of foreign) writeFileSync(join(folder, name), "mine");
  writeFileSync(join(folder, `.${DEAD}-abcdef~0mwhao51k000-924ybx.json`), "half a mess");
  for (const name of outbox.list("inferno")) outbox.forget("inferno", name);
  expect(readdirSync(folder).toSorted()).toEqual(foreign.toSorted());
});

it.each(["hub", "journal"])(
  "commands answer in a sentence if %s may not be opened, or is something else",
  async (name) => {
    await using person = makePerson();
    person.army();
    const path = join(person.relayDir(), name);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
    const user = giveToNobody(person.sandbox.root);
    const check = async (): Promise<void> => {
      for (const words of [["armies"], ["log"], ["summon", "--detached"]]) {
        const { stdout, stderr } = await person.ovld(words, { user });
        expect(`${stdout}${stderr}`, `ovld ${words.join(" ")}`).not.toContain("Unexpected error");
      }
    };
    chmodSync(path, 0o000);
    await check();
    chmodSync(path, 0o700);
    rmSync(path, { recursive: true });
    symlinkSync(name, path);
    await check();
  },
);
