import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../../support/store.ts";

it("a status is replaced as a whole and read by others", async () => {
  await using store = makeStore({ now: () => Date.UTC(2026, 10, 15) });
  store.mail.setStatus("inferno", "working", "認証の実装");
  expect(store.open().status("inferno")).toEqual({
    role: "inferno",
    status: "working",
    task: "認証の実装",
    updated: "2026-11-15T00:00:00.000Z",
  });
  expect(store.mail.setStatus("inferno", "done", "")).toMatchObject({ status: "done", task: "" });
  expect(readdirSync(store.path("tmp"))).toEqual([]);
});

it("a task beyond 500 characters is refused and the old status stays", async () => {
  await using store = makeStore();
  store.mail.setStatus("inferno", "working", "魔".repeat(500));
  expect(() => store.mail.setStatus("inferno", "done", "t".repeat(501))).toThrow(
    /too-long .*"field":"task","limit":500,"unit":"characters"/,
  );
  expect(store.mail.status("inferno").status).toBe("working");
});

it.each(["{", '{"status":"asleep"}'])("a status file that contains %s counts as missing", async (content) => {
  await using store = makeStore();
  writeFileSync(store.path("status/inferno.json"), content);
  expect(store.mail.status("inferno")).toEqual({
    role: "inferno",
    status: "idle",
    task: "",
    updated: null,
  });
});

it("a missing status file counts as never set", async () => {
  await using store = makeStore();
  rmSync(store.path("status/inferno.json"));
  expect(store.mail.status("inferno").updated).toBeNull();
});

it("a task is one clean line, recorded in the journal", async () => {
  await using store = makeStore();
  expect(store.mail.setStatus("inferno", "blocked", " a\u001b\nb ").task).toBe("a\u{FFFD} b");
  expect(store.mail.peekStatus("inferno")).toMatchObject({ status: "blocked", task: "a\u{FFFD} b" });
  expect(store.journal()).toMatchObject([
    { event: "status", role: "inferno", status: "blocked", task: "a\u{FFFD} b" },
  ]);
});
