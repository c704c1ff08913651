import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { identifyProcess } from "../../../../src/system/process.ts";
import { makeStore } from "../../../support/store.ts";

it("leftovers of dead processes and quarantined files are counted, the files of living ones are not", async () => {
  await using store = makeStore();
  expect(store.mail.inventory()).toMatchObject({ leftovers: 0, quarantined: 0, open: undefined });
  writeFileSync(store.path("tmp/999999999-1.dead-000000~1"), "");
  writeFileSync(store.path(`tmp/${identifyProcess(process.pid)}-000000~1`), "");
  writeFileSync(store.path("quarantine/1.storm"), "");
  writeFileSync(store.path("quarantine/2.storm"), "");
  expect(store.mail.inventory()).toMatchObject({
    leftovers: 1,
    quarantined: 2,
    quarantine: store.path("quarantine"),
  });
});

it("the first folder that others can access is named", async () => {
  await using store = makeStore();
  chmodSync(store.path("tmp"), 0o701);
  expect(store.mail.inventory().open).toBe(store.path("tmp"));
  chmodSync(store.path("inbox"), 0o710);
  expect(store.mail.inventory().open).toBe(store.path("inbox"));
  chmodSync(store.dir, 0o704);
  expect(store.mail.inventory().open).toBe(store.dir);
});

it("free space is reported if there is a store, and looking creates none", async () => {
  await using store = makeStore();
  expect(store.mail.inventory().freeBytes).toBeGreaterThan(1_000_000);
  rmSync(store.dir, { recursive: true });
  expect(store.mail.inventory()).toEqual({
    leftovers: 0,
    quarantined: 0,
    quarantine: store.path("quarantine"),
    open: undefined,
    freeBytes: undefined,
  });
  expect(store.mail.exists()).toBe(false);
});

it("a sound store has no problem; a newer one, a foreign one and a link instead of a folder are named", async () => {
  await using store = makeStore();
  expect(store.mail.trouble()).toBe(undefined);
  expect(store.mail.exists()).toBe(true);
  writeFileSync(store.path("store.json"), '{"format":3}');
  expect(store.mail.trouble()).toEqual({
    code: "store-newer",
    facts: { path: store.dir, found: 3, known: 2 },
  });
  for (const content of ["what?", '{"format":0}', '{"format":1.5}', "{}"]) {
    writeFileSync(store.path("store.json"), content);
    expect(store.mail.trouble()).toEqual({
      code: "store-foreign",
      facts: { path: store.path("store.json") },
    });
  }
  rmSync(store.path("store.json"));
  expect(store.mail.trouble()).toBe(undefined);
  rmSync(store.path("tmp"), { recursive: true });
  expect(store.mail.trouble()).toBe(undefined);
  symlinkSync(store.path("inbox"), store.path("tmp"));
  expect(store.mail.trouble()).toEqual({ code: "store-foreign", facts: { path: store.path("tmp") } });
});
