import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROLES } from "../../../../src/army/roles.ts";
import { makeStore } from "../../../support/store.ts";
import { dirname, join } from "node:path";
import { isHalfMade } from "../../../../src/mail/store/store.ts";
import { makeSandbox } from "../../../support/sandbox.ts";

it("M2.1a init makes an inbox for each of the six roles", async () => {
  await using store = makeStore();
  for (const role of ROLES) expect(statSync(store.path("inbox", role)).isDirectory()).toBe(true);
});

it("M2.1b init gives every role an initial status file", async () => {
  await using store = makeStore();
  for (const role of ROLES) {
    expect(JSON.parse(readFileSync(store.path("status", `${role}.json`), "utf8"))).toEqual({
      role,
      status: "idle",
      task: "",
      updated: null,
    });
  }
});

it("M2.1c init makes the pending folder", async () => {
  await using store = makeStore();
  expect(statSync(store.path("pending")).isDirectory()).toBe(true);
});

it("init a second time keeps mail, statuses and flags", async () => {
  await using store = makeStore();
  store.send();
  store.mail.setStatus("storm", "working", "the gate");
  store.mail.raiseFlag("strategist", { by: "overlord", ringer: "1-1", way: "typing" });
  store.open().init();
  expect(store.inbox()).toHaveLength(1);
  expect(store.mail.status("storm")).toMatchObject({ status: "working", task: "the gate" });
  expect(existsSync(store.path("pending", "strategist"))).toBe(true);
});

it("folders are private and files readable by their owner only", async () => {
  await using store = makeStore();
  const id = store.send();
  const mode = (...parts: string[]): number => statSync(store.path(...parts)).mode & 0o777;
  for (const folder of ["inbox", "inbox/strategist", "claimed", "tmp", "pending", "quarantine", "status"]) {
    expect([folder, mode(folder)]).toEqual([folder, 0o700]);
  }
  for (const file of [`inbox/strategist/${id}.json`, "journal.jsonl", "store.json", "status/storm.json"]) {
    expect([file, mode(file)]).toEqual([file, 0o600]);
  }
});

it("an older store is used as it is, and gets the current format when an army is summoned over it", async () => {
  await using store = makeStore();
  writeFileSync(store.path("store.json"), '{"format":1}');
  store.send();
  expect(readFileSync(store.path("store.json"), "utf8")).toBe('{"format":1}');
  store.open().init();
  expect(JSON.parse(readFileSync(store.path("store.json"), "utf8"))).toEqual({ format: 2 });
  expect(store.inbox()).toHaveLength(1);
});

it("a store of a newer format is refused and left as it is", async () => {
  await using store = makeStore();
  store.send();
  writeFileSync(store.path("store.json"), '{"format":3}');
  expect(() => store.send()).toThrow(/store-newer .*"found":3,"known":2/);
  expect(() => store.mail.claim("strategist")).toThrow(/store-newer/);
  expect(store.inbox()).toHaveLength(1);
});

it("a format file that cannot be read is named, not replaced", async () => {
  await using store = makeStore();
  writeFileSync(store.path("store.json"), "what?");
  expect(() => store.open().init()).toThrow(/store-foreign .*store\.json/);
  expect(readFileSync(store.path("store.json"), "utf8")).toBe("what?");
});

it("a format file that is a folder is reported as such", async () => {
  await using store = makeStore();
  rmSync(store.path("store.json"));
  mkdirSync(store.path("store.json"));
  expect(() => store.send()).toThrow(/store-foreign .*store\.json/);
});

it("a store that is gone is reported with its path", async () => {
  await using store = makeStore();
  store.send();
  rmSync(store.dir, { recursive: true });
  let thrown: unknown;
  try {
    store.send();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ report: { code: "store-gone", facts: { path: store.dir } } });
});

it("a link in place of a folder is refused, so that no mail leaves the store through it", async () => {
  await using store = makeStore();
  const elsewhere = `${store.sandbox.root}/elsewhere`;
  mkdirSync(elsewhere);
  rmSync(store.path("inbox", "storm"), { recursive: true });
  symlinkSync(elsewhere, store.path("inbox", "storm"));
  expect(() => store.open().init()).toThrow(/store-foreign .*inbox\/storm/);
});

it("a folder that disappeared inside the store is recreated by the next process that needs it", async () => {
  await using store = makeStore();
  for (const folder of ["inbox", "tmp", "claimed"]) rmSync(store.path(folder), { recursive: true });
  store.send();
  expect(store.mail.claim("strategist").messages).toHaveLength(1);
});

it("a store that existed before its user started, and is gone by then, is not recreated", async () => {
  await using store = makeStore();
  const latecomer = store.open({ known: true });
  rmSync(store.dir, { recursive: true });
  const presence = { role: "storm", relay: "1-1" } as const;
  expect(() => latecomer.announce(presence)).toThrow(/store-gone/);
  expect(existsSync(store.dir)).toBe(false);
});

/** Paths that end in a slash are folders. */
async function judge(...paths: string[]): Promise<boolean> {
  await using sandbox = makeSandbox();
  const root = join(sandbox.root, "store");
  mkdirSync(root);
  for (const path of paths) {
    mkdirSync(join(root, path.endsWith("/") ? path : dirname(path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(root, path), "{}");
  }
  return isHalfMade(root);
}

it.each([[[]], [["inbox/"]], [["inbox/storm/", "claimed/storm/", "status/storm.json", "pending/", "tmp/"]]])(
  "a store whose creation was interrupted at %j may be completed",
  async (paths) => {
    expect(await judge(...paths)).toBe(true);
  },
);

it.each([
  [["notes.txt"]],
  [["src/"]],
  [["inbox/storm/letter.json"]],
  [["inbox/storm"]],
  [["inbox/cat/"]],
  [["status/cat.json"]],
  [["status/storm"]],
  [["status/storm.txt"]],
  [["tmp/draft.txt"]],
  [["pending/storm"]],
  [["status"]],
])("a folder with %j is a person's own", async (paths) => {
  expect(await judge(...paths)).toBe(false);
});
