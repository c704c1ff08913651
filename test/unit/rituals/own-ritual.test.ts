import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it, vi } from "vitest";
import { linkOfArmy } from "../../../src/agent/agent-link.ts";
import { claudeScreen } from "../../../src/agent/claude/claude-screen.ts";
import type { Keyboard } from "../../../src/bell/ring-by-typing.ts";
import type { RelayPlace } from "../../../src/bell/create-bell.ts";
import type * as Keeping from "../../../src/rituals/giving/give-ritual.ts";
import { keepRitual } from "../../../src/rituals/giving/give-ritual.ts";
import { createRitual } from "../../../src/rituals/giving/own-ritual.ts";
import { armyRitualFile } from "../../../src/rituals/ritual-file.ts";
import type { ProcessIdentity } from "../../../src/system/process.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";

vi.mock("../../../src/rituals/giving/give-ritual.ts", () => ({
  keepRitual: vi.fn<typeof Keeping.keepRitual>(async () => {}),
}));

const SUMMONED = {
  secret: "s",
  zellij: "zellij",
  wake: "auto",
  focus: true,
  carry: true,
  answer: true,
  notify: true,
  brake: 8,
  command: "",
} as const;

const keyboard: Keyboard = {
  role: "storm",
  session: "army",
  zellij: { program: "zellij", env: {} },
  pane: 3,
  agentScreen: claudeScreen,
  memory: {},
  alone: (action) => action(),
  whyNot: () => expect.unreachable(),
};

function start(store: StoreFixture, identity: ProcessIdentity = "2-2") {
  const happened: string[] = [];
  const place: RelayPlace = {
    role: "storm",
    session: "army",
    relayDir: store.dir,
    summoned: SUMMONED,
    mail: store.mail,
    env: {},
    agentLink: () => linkOfArmy(store.mail),
    relay: "1-1",
    agent: { pid: 1, identity },
  };
  const agent = {
    hear() {},
    keepsWorking() {},
    judge: () => expect.unreachable(),
    view: () => expect.unreachable(),
    promptedAt: () => 0,
  };
  const ritual = createRitual(place);
  const part = ritual.start({ agent, keyboard, lookAgain: () => void happened.push("looked again") });
  const call = vi.mocked(keepRitual).mock.lastCall;
  if (call === undefined) throw new Error("no ritual is kept");
  const [kept, onWait] = call;
  return { ritual, part, kept, onWait, happened };
}

function giveRitual(store: StoreFixture): void {
  const path = armyRitualFile(store.dir, "storm");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "You are storm.\n");
}

it("after its conversation was cleared an agent is given its ritual again, if the army has one", async () => {
  await using store = makeStore();
  const { part } = start(store);
  expect(part?.hear({ lost: "cleared" })).toBe(undefined);
  giveRitual(store);
  expect(part?.hear({ lost: "cleared" })).toContain("You are storm.");
  expect(part?.hear({ lost: undefined })).toBe(undefined);
});

it("an agent's ritual is due until it was given, and due again for a new process", async () => {
  await using store = makeStore();
  const { ritual, kept, happened } = start(store);
  const known = () => [ritual.isDue(), ritual.waitsFor(), kept.due()];
  expect(known()).toEqual([false, undefined, undefined]);
  giveRitual(store);
  expect(known()).toEqual([true, "starting", "You are storm.\n"]);
  expect(kept).toMatchObject({ role: "storm", session: "army", pane: 3 });
  expect(kept.isLast()).toBe(false);
  kept.onGiven();
  expect(known()).toEqual([false, undefined, undefined]);
  expect(happened).toEqual(["looked again"]);
  expect(store.journal()).toMatchObject([{ event: "ritual", role: "storm", outcome: "given" }]);
  expect(start(store, "3-3").ritual.isDue()).toBe(true);
});

it("the bell knows what the ritual waits for, and the journal records it unless the agent is only starting", async () => {
  await using store = makeStore();
  giveRitual(store);
  const { ritual, onWait, happened } = start(store);
  onWait("starting");
  onWait("trust");
  expect(ritual.waitsFor()).toBe("trust");
  expect(happened).toEqual(["looked again", "looked again"]);
  expect(store.journal()).toMatchObject([{ event: "ritual", role: "storm", outcome: "waits", why: "trust" }]);
});

it("a relay outside an army gives no ritual", async () => {
  await using store = makeStore();
  giveRitual(store);
  const calls = vi.mocked(keepRitual).mock.calls.length;
  const place = {
    ...OUTSIDE,
    relayDir: store.dir,
    mail: store.mail,
    agentLink: () => linkOfArmy(store.mail),
  };
  const ritual = createRitual(place);
  const agent = { hear() {}, keepsWorking() {}, judge: nobody, view: nobody, promptedAt: () => 0 };
  expect(ritual.start({ agent, keyboard, lookAgain() {} })).toBe(undefined);
  expect([ritual.isDue(), vi.mocked(keepRitual).mock.calls.length]).toEqual([false, calls]);
});

const nobody = () => expect.unreachable();
const OUTSIDE = {
  role: "storm",
  session: "army",
  summoned: undefined,
  env: {},
  relay: "1-1",
  agent: { pid: 1, identity: undefined },
} as const;

it("a ritual that was given and cannot be recorded is remembered, and recorded as soon as possible", async () => {
  await using store = makeStore();
  giveRitual(store);
  const { ritual, kept } = start(store);
  const note = store.path("conversations/storm.json");
  mkdirSync(note, { recursive: true });
  kept.onGiven();
  expect([ritual.isDue(), kept.due()]).toEqual([false, undefined]);
  rmdirSync(note);
  expect(kept.due()).toBe(undefined);
  expect(JSON.parse(readFileSync(note, "utf8"))).toMatchObject({ agent: "2-2", ritual: expect.any(String) });
  rmSync(note);
  expect(kept.due()).toBe("You are storm.\n");
});

it("a folder in place of a ritual does not make the bell wait for it", async () => {
  await using store = makeStore();
  mkdirSync(armyRitualFile(store.dir, "storm"), { recursive: true });
  const { ritual, kept } = start(store);
  expect([ritual.isDue(), kept.due(), kept.isLast()]).toEqual([false, undefined, true]);
});
