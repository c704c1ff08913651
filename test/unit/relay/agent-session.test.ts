import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it, vi } from "vitest";
import { linkOfArmy } from "../../../src/agent/agent-link.ts";
import { armyRitualFile } from "../../../src/rituals/ritual-file.ts";
import { openAgentSession } from "../../../src/relay/agent-session.ts";
import { makeCall } from "../../support/relay-call.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";

const SUMMONED = { secret: "s", zellij: "zellij", wake: "auto" };

function open(
  store: StoreFixture,
  more: { summoned?: object; context?: string; agent?: string } = { summoned: SUMMONED },
) {
  const happened: string[] = [];
  const complaints: unknown[] = [];
  const state: { place: any; ritual: any; awaited: boolean } = {
    place: undefined,
    ritual: undefined,
    awaited: false,
  };
  const options: any = {
    settings: { role: "storm", session: "army", relayDir: store.dir, summoned: more.summoned },
    mail: store.mail,
    env: {},
    relay: "1-1",
    agent: more.agent ?? "2-2",
    delivery: { areAwaited: () => state.awaited },
    loadBell: () => ({
      linkOfArmy,
      createBell(place: unknown) {
        state.place = place;
        return {
          pane: 3,
          agent: "watch",
          lookAgain: () => happened.push("looked again"),
          hear: () => more.context && { text: more.context, takeBack: () => happened.push("taken back") },
          wasAsked: () => happened.push("asked"),
          close: () => happened.push("closed"),
        };
      },
      recordIn: (folder: string) => folder,
      keepRitual(task: unknown) {
        state.ritual = task;
        return { close: () => happened.push("ritual closed") };
      },
    }),
    complainOf: (error: unknown) => complaints.push(error),
  };
  const line = openAgentSession(options);
  const hook = (event: string, source = ""): string => {
    const answer: any = line.onHook({ secret: "s", event, source }, makeCall());
    return answer.result.content[0].text;
  };
  return { line, state, happened, complaints, hook, options };
}

function giveRitual(store: StoreFixture): void {
  const path = armyRitualFile(store.dir, "storm");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "You are storm.\n");
}

it("when the tools are listed the relay announces itself and its agent, and starts one bell", async () => {
  await using store = makeStore();
  const { line, state, options } = open(store);
  expect(store.mail.presences()).toEqual([]);
  line.onListed();
  expect(store.mail.presences()).toMatchObject([{ role: "storm", relay: "1-1", agent: "2-2" }]);
  expect(state.place).toMatchObject({
    role: "storm",
    session: "army",
    relay: "1-1",
    summoned: SUMMONED,
    agent: { pid: process.ppid, identity: "2-2" },
  });
  options.loadBell = () => expect.unreachable();
  line.onListed();
});

it("the parent of a relay outside an army is not announced as its agent", async () => {
  await using store = makeStore();
  const { line, state } = open(store, {});
  line.onListed();
  expect(store.mail.presences()[0]).not.toHaveProperty("agent");
  expect(state.place.agent).toEqual({ pid: process.ppid, identity: undefined });
});

it("an error of the bell is reported, and retried until there is one", async () => {
  await using store = makeStore();
  const { line, complaints, options, happened } = open(store);
  const { loadBell } = options;
  options.loadBell = () => {
    throw new Error("no bell");
  };
  line.onListed();
  expect(complaints).toEqual([new Error("no bell")]);
  line.onAsked([]);
  expect(happened).toEqual([]);
  options.loadBell = loadBell;
  const isAsked = (): boolean => {
    line.onAsked([]);
    return happened.length > 0;
  };
  await expect.poll(isAsked).toBe(true);
  expect(happened).toEqual(["asked"]);
  expect(complaints).toHaveLength(1);
});

it("closing stops the bell and removes the presence file", async () => {
  await using store = makeStore();
  const { line, happened } = open(store);
  line.onListed();
  line.close();
  expect([happened, store.mail.presences()]).toEqual([["ritual closed", "closed"], []]);
});

it("mail counts as being handed out while an answer is awaited, and for a second after it was requested", async () => {
  await using store = makeStore();
  const { line, state } = open(store);
  line.onListed();
  vi.useFakeTimers();
  try {
    expect(state.place.isHandingOut()).toBe(false);
    line.onAsked([]);
    vi.advanceTimersByTime(999);
    expect(state.place.isHandingOut()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(state.place.isHandingOut()).toBe(false);
    state.awaited = true;
    expect(state.place.isHandingOut()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

it("a bell in an answer that the agent discards is taken back", async () => {
  await using store = makeStore();
  const { line, happened } = open(store, { summoned: SUMMONED, context: "mail" });
  line.onListed();
  const call = makeCall();
  void line.onHook({ secret: "s", event: "Stop" }, call);
  expect(happened).toEqual([]);
  call.drop("cancelled");
  expect(happened).toEqual(["taken back"]);
});

it("the bell's text is returned to the hook that called, as its context", async () => {
  await using store = makeStore();
  const { line, hook } = open(store, { summoned: SUMMONED, context: "mail" });
  expect(hook("Stop")).toBe("{}");
  line.onListed();
  expect(JSON.parse(hook("Stop"))).toEqual({
    hookSpecificOutput: { hookEventName: "Stop", additionalContext: "mail" },
  });
});

it("a hook is accepted only with the army's secret", async () => {
  await using store = makeStore();
  const { line } = open(store, { summoned: { ...SUMMONED, secret: "another" } });
  expect(line.onHook({ secret: "s", event: "Stop" }, makeCall())).toMatchObject({
    result: { isError: true },
  });
});

it("after its conversation was cleared an agent is given its ritual again, if the army has one", async () => {
  await using store = makeStore();
  const { line, hook } = open(store);
  line.onListed();
  expect(hook("SessionStart", "clear")).toBe("{}");
  giveRitual(store);
  expect(hook("SessionStart", "clear")).toContain("You are storm.");
  expect(hook("SessionStart", "startup")).toBe("{}");
});

it("an agent's ritual is due until it was given, and due again for a new process", async () => {
  await using store = makeStore();
  const { line, state, happened } = open(store);
  line.onListed();
  expect([state.place.awaitsRitual(), state.place.ritualWait(), state.ritual.due()]).toEqual([
    false,
    undefined,
    undefined,
  ]);
  giveRitual(store);
  expect([state.place.awaitsRitual(), state.place.ritualWait(), state.ritual.due()]).toEqual([
    true,
    "starting",
    "You are storm.\n",
  ]);
  expect(state.ritual).toMatchObject({
    role: "storm",
    session: "army",
    pane: 3,
    agent: "watch",
    zellij: { record: store.dir },
  });
  expect(state.ritual.isLast()).toBe(false);
  state.ritual.onGiven();
  expect([state.place.awaitsRitual(), state.place.ritualWait(), state.ritual.due()]).toEqual([
    false,
    undefined,
    undefined,
  ]);
  expect(happened).toEqual(["looked again"]);
  expect(store.journal()).toMatchObject([{ event: "ritual", role: "storm", outcome: "given" }]);
  const next = open(store, { summoned: SUMMONED, agent: "3-3" });
  next.line.onListed();
  expect(next.state.place.awaitsRitual()).toBe(true);
});

it("the bell knows what the ritual waits for, and the journal records it unless the agent is only starting", async () => {
  await using store = makeStore();
  giveRitual(store);
  const { line, state, happened } = open(store);
  line.onListed();
  state.ritual.onWait("starting");
  state.ritual.onWait("trust");
  expect(state.place.ritualWait()).toBe("trust");
  expect(happened).toEqual(["looked again", "looked again"]);
  expect(store.journal()).toMatchObject([{ event: "ritual", role: "storm", outcome: "waits", why: "trust" }]);
});

it("a relay outside an army gives no ritual", async () => {
  await using store = makeStore();
  giveRitual(store);
  const { line, state } = open(store, {});
  line.onListed();
  expect([state.place.awaitsRitual(), state.ritual]).toEqual([false, undefined]);
});

it("a ritual that was given and cannot be recorded is remembered, and recorded as soon as possible", async () => {
  await using store = makeStore();
  giveRitual(store);
  const { line, state } = open(store);
  line.onListed();
  const note = store.path("conversations/storm.json");
  rmSync(note);
  mkdirSync(note);
  state.ritual.onGiven();
  expect([state.place.awaitsRitual(), state.ritual.due()]).toEqual([false, undefined]);
  rmdirSync(note);
  expect(state.ritual.due()).toBe(undefined);
  expect(JSON.parse(readFileSync(note, "utf8"))).toMatchObject({ agent: "2-2", ritual: expect.any(String) });
  rmSync(note);
  expect(state.ritual.due()).toBe("You are storm.\n");
});

it("a folder in place of a ritual does not make the bell wait for it", async () => {
  await using store = makeStore();
  mkdirSync(armyRitualFile(store.dir, "storm"), { recursive: true });
  const { line, state } = open(store);
  line.onListed();
  expect([state.place.awaitsRitual(), state.ritual.due(), state.ritual.isLast()]).toEqual([
    false,
    undefined,
    true,
  ]);
});
