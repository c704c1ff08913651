import { identifyOurselves, identifyProcess, isSuspended } from "../../../src/system/process.ts";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ringerForDeadRelay } from "../../../src/bell/await-bell-outcome.ts";
import type { AgentReport } from "../../../src/mail/records/agent-report.ts";
import { makeComposerProgram } from "../../support/composer-program.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";

const us = identifyOurselves();
const gone: AgentReport = {
  role: "strategist",
  relay: "999999999-1",
  agent: us,
  state: "gone",
  since: new Date(0).toISOString(),
  evidence: "none",
  pane: 7,
  bell: { state: "quiet" },
};

function registry(store: StoreFixture, status: string, statusUpdatedAt: number): void {
  const file = join(store.sandbox.home, "sessions", `${process.pid}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ pid: process.pid, status, statusUpdatedAt }));
}

async function seat(store: StoreFixture) {
  const { program, pane } = await makeComposerProgram(store.sandbox, "strategist", 7);
  registry(store, "idle", 0);
  const ring = (zellij = program, isBudgetReached = false) =>
    ringerForDeadRelay({
      isBudgetReached: () => isBudgetReached,
      by: "overlord",
      ringer: us,
      session: "army",
      relayDir: store.dir,
      zellij,
      mail: store.mail,
      env: { ...store.sandbox.env, CLAUDE_CONFIG_DIR: store.sandbox.home },
    });
  return { pane, ring };
}

const sentBy = (pane: { sent: { by: string; prompt: string }[] }): string[] =>
  pane.sent.map(({ by, prompt }) => `${by}: ${prompt}`);

it("D3 an agent whose relay is dead is typed to once, and the flag and the journal record it", async () => {
  await using store = makeStore();
  const { pane, ring } = await seat(store);
  const id = store.send({ subject: "the north wall" });
  expect(await ring()("strategist", gone)).toEqual({ rung: true });
  expect(sentBy(pane)).toEqual([
    expect.stringMatching(
      /^us: \[MESSAGE from overlord\] You have mail about the-north-wall, note \w+\. Call check_inbox\.\s*$/,
    ),
  ]);
  expect(store.mail.flag("strategist")).toMatchObject({ by: "overlord", ringer: us, way: "typing" });
  expect(store.journal().at(-1)).toMatchObject({ event: "rung", way: "typing", attempt: 1, ids: [id] });
  expect(await ring()("strategist", gone)).toBe("already rung");
  expect(pane.sent).toHaveLength(1);
});

it.each([
  ["a minute old", -60_000],
  ["from the future, because the clock was set back", 5_000],
])("a flag that is %s does not prevent ringing", async (_, age) => {
  await using store = makeStore();
  const { pane, ring } = await seat(store);
  store.send();
  const earlier = store.open({ now: () => Date.now() + age });
  earlier.raiseFlag("strategist", { by: "storm", ringer: "1-1", way: "socket" });
  expect(await ring()("strategist", gone)).toEqual({ rung: true });
  expect(pane.sent).toHaveLength(1);
  expect(store.mail.flag("strategist")).toMatchObject({ by: "overlord" });
});

it("a recent flag means already rung, an unreadable one does not", async () => {
  await using store = makeStore();
  const { pane, ring } = await seat(store);
  store.send();
  const earlier = store.open({ now: () => Date.now() - 50_000 });
  earlier.raiseFlag("strategist", { by: "storm", ringer: "1-1", way: "socket" });
  expect(await ring()("strategist", gone)).toBe("already rung");
  writeFileSync(store.path("pending", "strategist"), "?");
  expect(await ring()("strategist", gone)).toEqual({ rung: true });
  expect(pane.sent).toHaveLength(1);
});

it.each(["busy", "waiting"])(
  "an agent that the registry calls %s is not typed to, and no flag is up",
  async (status) => {
    await using store = makeStore();
    const { pane, ring } = await seat(store);
    registry(store, status, 0);
    store.send();
    expect(await ring()("strategist", gone)).toEqual({ held: "relay-gone" });
    expect(store.mail.flag("strategist")).toBeUndefined();
    expect(pane.draft()).toBe("");
    expect(pane.sent).toEqual([]);
  },
);

it("an agent whose state nothing shows is not typed to, and no flag is up", async () => {
  await using store = makeStore();
  const { pane, ring } = await seat(store);
  store.send();
  expect(await ring()("strategist", { ...gone, agent: undefined })).toEqual({ held: "state-unknown" });
  expect([pane.sent, pane.draft(), store.mail.flag("strategist")]).toEqual([[], "", undefined]);
});

it("an agent whose budget is used up is not typed to, and no flag is up", async () => {
  await using store = makeStore();
  const { pane, ring } = await seat(store);
  store.send();
  expect(await ring(undefined, true)("strategist", gone)).toEqual({ held: "budget" });
  expect([pane.sent, store.mail.flag("strategist")]).toEqual([[], undefined]);
});

it("a person's draft is left alone, and no flag is up", async () => {
  await using store = makeStore();
  const { pane, ring } = await seat(store);
  pane.press("dear army");
  writeFileSync(join(store.sandbox.root, "screen"), (await pane.screen()).join("\n"));
  store.send();
  expect(await ring()("strategist", gone)).toEqual({ held: "draft" });
  expect(store.mail.flag("strategist")).toBeUndefined();
  expect(pane.draft()).toBe("dear army");
});

it("a Zellij that cannot be run and a pane that was not reported are named as the reason, and no flag is up", async () => {
  await using store = makeStore();
  const { ring } = await seat(store);
  store.send();
  expect(await ring("/nowhere/zellij")("strategist", gone)).toEqual({ held: "zellij-failed" });
  expect(store.mail.flag("strategist")).toBeUndefined();
  expect(await ring()("strategist", { ...gone, pane: undefined })).toEqual({ held: "no-pane" });
  expect(await ring()("strategist", { ...gone, pane: 8 })).toEqual({ held: "no-pane" });
  expect(store.mail.flag("strategist")).toBeUndefined();
});

it("nothing is typed into a suspended agent, and no flag is up", async () => {
  await using store = makeStore();
  const { pane, ring } = await seat(store);
  const agent = spawn("sleep", ["60"], { stdio: "ignore" });
  store.sandbox.defer(() => void agent.kill("SIGKILL"));
  agent.kill("SIGSTOP");
  const identity = identifyProcess(agent.pid ?? 0) ?? "0";
  const report = { ...gone, agent: identity };
  await expect.poll(() => isSuspended(identity)).toBe(true);
  store.send();
  expect(await ring()("strategist", report)).toEqual({ held: "suspended" });
  expect([pane.sent, pane.draft(), store.mail.flag("strategist")]).toEqual([[], "", undefined]);
});
