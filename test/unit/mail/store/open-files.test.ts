import { identifyOurselves } from "../../../../src/system/process.ts";
import { readdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../../support/store.ts";

const ROUNDS = 30;

it("a relay that runs for weeks leaves no file open, whatever it reads and writes", async (test) => {
  test.skip(process.platform !== "linux", "open files are counted in /proc");
  await using store = makeStore();
  const relay = identifyOurselves();
  const journal = store.mail.journal();
  const before = readdirSync("/proc/self/fd").length;
  for (let round = 0; round < ROUNDS; round += 1) {
    store.send();
    writeFileSync(store.path("inbox/strategist/broken.json"), "{");
    writeFileSync(store.path("inbox/storm/large.json"), " ".repeat(600_000));
    store.mail.announce({ role: "storm", relay });
    store.mail.presences();
    store.mail.raiseFlag("strategist", { by: "overlord", ringer: relay, way: "typing" });
    store.mail.flag("strategist");
    store.mail.claim("strategist").settle();
    store.mail.claim("storm").settle();
    store.mail.setStatus("storm", "working", "sailing");
    store.mail.status("storm");
    expect([...journal.next()].length).toBeGreaterThan(0);
  }
  expect(readdirSync("/proc/self/fd").length).toBeLessThan(before + ROUNDS / 2);
});
