import { readFileSync, symlinkSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readArmyFile, type ArmyRecord } from "../../../../src/mail/records/army-record.ts";
import { storePaths } from "../../../../src/mail/store/paths.ts";
import { makeStore } from "../../../support/store.ts";

const record: ArmyRecord = {
  session: "overlord",
  folder: "/castle",
  agent: "claude",
  roles: ["overlord", "strategist"],
  summoned: "2026-11-15T03:48:12.296Z",
  ended: { at: "2026-11-15T04:00:00.000Z", how: "closed" },
};

it("an army's record is read back, with its format, and no temporary file is left", async () => {
  await using store = makeStore();
  expect(readArmyFile(storePaths(store.dir))).toBeUndefined();
  store.mail.recordArmy(record);
  expect(store.mail.army()).toEqual(record);
  expect(JSON.parse(readFileSync(store.path("army.json"), "utf8"))).toEqual({ format: 1, ...record });
  expect(store.mail.inventory().leftovers).toBe(0);
});

it("a file of an earlier ovld, without a format and without an end, is read, and unknown fields are skipped", async () => {
  await using store = makeStore();
  const { folder, agent, summoned } = record;
  writeFileSync(store.path("army.json"), JSON.stringify({ folder, agent, summoned, banner: "red" }));
  expect(readArmyFile(storePaths(store.dir))).toEqual({ record: { folder, agent, summoned } });
});

it.each([
  ["cut off in the middle", "damaged", '{"format":1,"folder":"/ca'],
  ["empty", "damaged", ""],
  ["without a folder", "damaged", '{"agent":"claude","summoned":"2026-11-15T03:48:12.296Z"}'],
  ["of an unknown end", "damaged", JSON.stringify({ ...record, ended: { at: record.summoned, how: "?" } })],
  ["of a newer format", "newer", '{"format":2,"place":"/castle"}'],
] as const)(
  "a file that is %s is reported as %s, and no part of it is used",
  async (_what, problem, text) => {
    await using store = makeStore();
    writeFileSync(store.path("army.json"), text);
    expect(readArmyFile(storePaths(store.dir))).toEqual({ problem });
    expect(store.mail.army()).toBeUndefined();
    expect(store.mail.trouble()).toEqual({
      code: "army-file",
      facts: { path: store.path("army.json"), problem },
    });
  },
);

it("a link in its place is not followed", async () => {
  await using store = makeStore();
  store.mail.recordArmy(record);
  writeFileSync(store.path("elsewhere"), readFileSync(store.path("army.json")));
  rmSync(store.path("army.json"));
  symlinkSync(store.path("elsewhere"), store.path("army.json"));
  expect(readArmyFile(storePaths(store.dir))).toEqual({ problem: "damaged" });
});
