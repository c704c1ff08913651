import { identifyOurselves } from "../../../src/system/process.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { linkOfArmy } from "../../../src/agent/agent-link.ts";
import { applyBrake } from "../../../src/bell/brake.ts";
import { createBell, type RelayPlace } from "../../../src/bell/create-bell.ts";
import type { Summoned } from "../../../src/config/relay-settings.ts";
import { makeComposerProgram } from "../../support/composer-program.ts";
import { openSocket, wordsOf } from "../../support/hooked-relay.ts";
import { hook } from "../../support/bell-loop.ts";
import { makeCall } from "../../support/relay-call.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";
import { soon } from "../../support/wait-until.ts";

const us = identifyOurselves();

function registry(store: StoreFixture, status: string): void {
  const file = join(store.sandbox.home, "sessions", `${process.pid}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ pid: process.pid, status, statusUpdatedAt: Date.now() }));
}

async function hang(
  store: StoreFixture,
  more: Partial<Summoned> | undefined,
  env: Record<string, string> = {},
) {
  const { path, posts } = await openSocket(store.sandbox);
  const { program, pane } = await makeComposerProgram(store.sandbox, "strategist", 7);
  const summoned: Summoned | undefined = more && {
    secret: "s",
    zellij: program,
    wake: "auto",
    focus: true,
    carry: true,
    answer: true,
    command: "",
    notify: true,
    brake: 8,
    ...more,
  };
  const place: RelayPlace = {
    role: "strategist",
    session: "army",
    relayDir: store.dir,
    mail: store.mail,
    agentLink: () => linkOfArmy(store.mail),
    env: {
      ...store.sandbox.env,
      CLAUDE_CONFIG_DIR: store.sandbox.home,
      CLAUDE_CODE_MESSAGING_SOCKET: path,
      ZELLIJ_PANE_ID: "7",
      ...env,
    },
    summoned,
    relay: us,
    agent: { pid: process.pid, identity: us },
  };
  const brake = applyBrake({ role: "strategist", mail: store.mail, most: 8 });
  const ritual = { isDue: () => false, waitsFor: () => undefined };
  const bell = createBell(place, {
    brake,
    isBudgetReached: () => false,
    ritual,
    areAnswersAwaited: () => false,
    wasRead() {},
  });
  store.sandbox.defer(() => bell.close());
  return { bell, posts, pane };
}

it("an agent that its registry calls idle is rung by its socket, in the sender's name, and its pane is reported", async () => {
  await using store = makeStore();
  registry(store, "idle");
  const { bell, posts, pane } = await hang(store, {});
  expect(bell.keyboard?.pane).toBe(7);
  store.send({ from: "storm", subject: "the north wall" });
  await expect.poll(() => posts, soon).toHaveLength(1);
  expect(posts[0]).toContain('from-name=\\"storm\\"');
  expect(wordsOf(posts[0])).toMatch(/about the-north-wall, note \w+\. Call check_inbox\.$/);
  await expect
    .poll(() => store.mail.agentReport("strategist"), soon)
    .toMatchObject({ relay: us, agent: us, pane: 7, state: "idle", evidence: "registry" });
  expect(pane.sent).toEqual([]);
});

it("once hooks have reported, short mail is carried and the end of a turn rings", async () => {
  await using store = makeStore();
  const { bell, posts } = await hang(store, {});
  bell.hear(hook("prompted", { prompt: "work" }), makeCall());
  store.send();
  await expect.poll(() => store.mail.agentReport("strategist")?.bell, soon).toMatchObject({ why: "busy" });
  expect(bell.hear(hook("turn-ended"), makeCall())).toMatch(/\] Word [a-z]{6}, note [a-z]{5}\. \[\{/);
  expect(posts).toEqual([]);
});

it("if waking is by typing only, neither the socket nor the end of a turn is used", async () => {
  await using store = makeStore();
  registry(store, "idle");
  const { bell, posts, pane } = await hang(store, { wake: "pane" });
  store.send();
  await expect.poll(() => pane.sent, soon).toHaveLength(1);
  expect(pane.sent[0]).toMatchObject({ by: "us" });
  expect(pane.sent[0]?.prompt).toMatch(/^\[MESSAGE from overlord\] You have mail about order, note \w+\./);
  store.mail.claim("strategist").settle();
  bell.wasAsked([]);
  registry(store, "busy");
  store.send();
  expect(bell.hear(hook("turn-ended"), makeCall())).toBeUndefined();
  expect(posts).toEqual([]);
});

it("a relay that was started by hand rings only by socket, and without a socket not at all", async () => {
  await using store = makeStore();
  registry(store, "idle");
  const { posts } = await hang(store, undefined);
  store.send();
  await expect.poll(() => posts, soon).toHaveLength(1);
  expect(wordsOf(posts[0])).toMatch(/Call check_inbox\.$/);
  await using other = makeStore();
  registry(other, "idle");
  const silent = await hang(other, undefined, { CLAUDE_CODE_MESSAGING_SOCKET: "", ZELLIJ_PANE_ID: "" });
  expect(silent.bell.keyboard).toBeUndefined();
  other.send();
  await expect.poll(() => other.mail.agentReport("strategist")?.bell, soon).toMatchObject({ why: "no-pane" });
  expect(silent.pane.sent).toEqual([]);
});

it("a socket that refuses leads to typing, but not to an agent that nothing reports on", async () => {
  await using store = makeStore();
  const { posts, pane } = await hang(store, {}, { CLAUDE_CODE_MESSAGING_SOCKET: "/nowhere/inbox.sock" });
  store.send();
  const bell = () => store.mail.agentReport("strategist")?.bell;
  await expect.poll(bell, soon).toMatchObject({ why: "socket-refused" });
  expect(pane.sent).toEqual([]);
  registry(store, "idle");
  await expect.poll(() => pane.sent, soon).toHaveLength(1);
  expect(posts).toEqual([]);
  await expect.poll(bell, soon).toMatchObject({ way: "typing" });
});

it("a change that only the registry shows is reported at once, although nothing else asks for a look", async () => {
  await using store = makeStore();
  registry(store, "idle");
  const mail = { ...store.mail, watchInbox: () => ({ close() {} }) };
  const { bell } = await hang({ ...store, mail }, {});
  const reported = () => mail.agentReport("strategist")?.state;
  bell.hear(hook("turn-ended"), makeCall());
  await expect.poll(reported, soon).toBe("idle");
  registry(store, "waiting");
  await expect.poll(reported, soon).toBe("asking");
});
