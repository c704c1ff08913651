import { identifyOurselves } from "../../../src/system/process.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "vitest";
import { armyRitualFile, forgetRitualGiven, noteRitualGiven } from "../../../src/rituals/ritual-file.ts";
import type { Role } from "../../../src/army/roles.ts";
import type { RitualWait } from "../../../src/army/words.ts";
import { awaitRituals, type Awaiting } from "../../../src/rituals/await-rituals.ts";
import { makePaneLister } from "../../support/pane-lister.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";

/** Side by side, because they mostly pause. */
const it = test.concurrent;

const US = identifyOurselves();

/** An army whose roles should have rituals, with panes of these names and nothing in them. */
function awaiting(store: StoreFixture, roles: Role[], panes: string[]): Awaiting & { told: string[] } {
  const told: string[] = [];
  mkdirSync(`${store.dir}/rituals`, { recursive: true });
  for (const role of roles) writeFileSync(armyRitualFile(store.dir, role), "I am it.");
  const zellij = { program: makePaneLister(store.sandbox, panes).program, env: store.sandbox.env };
  return {
    zellij,
    session: "army",
    relayDir: store.dir,
    mail: store.mail,
    roles,
    patienceMs: 60_000,
    onWait: (waiting, { waits }) => void told.push(`${waiting.join(" ")}: ${waits}`),
    stop: new AbortController().signal,
    told,
  };
}

function reportWait(store: StoreFixture, role: Role, ritualWait: RitualWait | undefined): void {
  store.mail.reportAgent({
    role,
    relay: US,
    agent: US,
    state: "starting",
    since: new Date().toISOString(),
    evidence: "none",
    ritualWait,
    bell: { state: "quiet" },
  });
}

it("waiting ends at once if every role has its ritual, and for a role that needs none", async ({
  expect,
}) => {
  await using store = makeStore();
  const field = awaiting(store, ["overlord"], []);
  reportWait(store, "overlord", undefined);
  noteRitualGiven(store.mail, "overlord", US);
  expect(await awaitRituals({ ...field, roles: ["overlord", "storm"] })).toEqual([
    { role: "overlord", outcome: "given" },
    { role: "storm", outcome: "given" },
  ]);
});

it("a ritual given to an earlier process of the role does not count for the current one", async ({
  expect,
}) => {
  await using store = makeStore();
  const field = awaiting(store, ["storm"], []);
  reportWait(store, "storm", "draft");
  noteRitualGiven(store.mail, "storm", "1-0");
  expect(await awaitRituals({ ...field, patienceMs: 0 })).toEqual([
    { role: "storm", outcome: "waits", why: "draft", words: undefined },
  ]);
});

it("roles that wait for the same thing are reported together, once, and waiting ends when they have their rituals", async ({
  expect,
}) => {
  await using store = makeStore();
  const field = awaiting(store, ["glacier", "shadow", "storm"], []);
  reportWait(store, "glacier", "draft");
  reportWait(store, "shadow", "busy");
  reportWait(store, "storm", "draft");
  const results = awaitRituals(field);
  await expect.poll(() => field.told).toEqual(["glacier storm: draft", "shadow: busy"]);
  reportWait(store, "glacier", "busy");
  await expect.poll(() => field.told.at(-1)).toBe("glacier: busy");
  for (const role of ["glacier", "shadow", "storm"] as const) noteRitualGiven(store.mail, role, US);
  expect((await results).map(({ outcome }) => outcome)).toEqual(["given", "given", "given"]);
  expect(field.told).toHaveLength(3);
});

it("a role without a pane is no longer waited for, and the others are", async ({ expect }) => {
  await using store = makeStore();
  const field = awaiting(store, ["inferno", "storm"], ["inferno"]);
  reportWait(store, "inferno", "draft");
  const results = awaitRituals(field);
  await expect.poll(() => field.told).toContain("storm: no-pane");
  noteRitualGiven(store.mail, "inferno", US);
  expect(await results).toEqual([
    { role: "inferno", outcome: "given" },
    { role: "storm", outcome: "waits", why: "no-pane", words: undefined },
  ]);
});

it("the time runs only while nothing changes, and a stop returns the current state at once", async ({
  expect,
}) => {
  await using store = makeStore();
  const field = awaiting(store, ["storm"], []);
  reportWait(store, "storm", "draft");
  const began = performance.now();
  const waiting = awaitRituals({ ...field, patienceMs: 1_500 });
  await new Promise((resolve) => setTimeout(resolve, 900));
  reportWait(store, "storm", "busy");
  expect(await waiting).toMatchObject([{ why: "busy" }]);
  expect(performance.now() - began).toBeGreaterThan(2_300);
  const stopping = new AbortController();
  const stopped = awaitRituals({ ...field, stop: stopping.signal });
  stopping.abort();
  expect(await stopped).toMatchObject([{ outcome: "waits", why: "busy" }]);
});

it("a role that was seen to have its ritual is done, even if it is to be given again in the meantime", async ({
  expect,
}) => {
  await using store = makeStore();
  const field = awaiting(store, ["glacier", "storm"], []);
  reportWait(store, "glacier", "draft");
  reportWait(store, "storm", undefined);
  noteRitualGiven(store.mail, "storm", US);
  const results = awaitRituals(field);
  await expect.poll(() => field.told).toEqual(["glacier: draft"]);
  forgetRitualGiven(store.mail, "storm");
  reportWait(store, "storm", "busy");
  await new Promise((resolve) => setTimeout(resolve, 600));
  noteRitualGiven(store.mail, "glacier", US);
  expect((await results).map(({ outcome }) => outcome)).toEqual(["given", "given"]);
});

it("a pane that cannot be read leaves what was known about its role before", async ({ expect }) => {
  await using store = makeStore();
  // This one lists panes and refuses everything else.
  const field = awaiting(store, ["storm"], ["storm"]);
  expect(await awaitRituals({ ...field, patienceMs: 3_000 })).toMatchObject([
    { outcome: "waits", why: "starting" },
  ]);
});
