import { expect, it } from "vitest";
import type { Role } from "../../../src/army/roles.ts";
import { applyBrake, endsTalk, isBraked, shortestTalk } from "../../../src/bell/brake.ts";
import { identifyOurselves } from "../../../src/system/process.ts";
import { hook } from "../../support/bell-loop.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";

it.each([
  ["the answer to a message", [{ from: "inferno", talk: 4 }], 4],
  [
    "several at once: the one with the shortest history counts",
    [
      { from: "inferno", talk: 9 },
      { from: "storm", talk: 1 },
    ],
    1,
  ],
  ["the person's word", [{ from: "inferno", talk: 9 }, { from: "human" }], 0],
  ["what ovld says", [{ from: "ovld", talk: 5 }], 0],
  ["mail that does not say, as that of an older ovld", [{ from: "inferno" }], 0],
] as const)("how far a talk has come after %s", (_what, messages, talk) => {
  expect(shortestTalk(messages.map((message) => ({ id: "1", ...message })))).toBe(talk);
});

it.each([
  ["nothing waits", [], 8, false],
  ["the eighth message", [8], 8, false],
  ["the ninth", [9], 8, true],
  ["the ninth, next to one of another talk", [9, 1], 8, false],
  ["the brake is off", [9_000], 0, false],
  ["a person who wants only one", [2], 1, true],
])("what is held: %s", (_what, talks, most, isHeld) => {
  const waiting = talks.map((talk) => ({ id: String(talk), from: "inferno" as const, talk }));
  expect(isBraked(waiting, [], most)).toBe(isHeld);
  expect(
    isBraked(
      waiting,
      waiting.map(({ id }) => id),
      most,
    ),
  ).toBe(false);
});

it.each([
  ["a tool of its own", hook("tool-ended", { tool: "Bash" }), true],
  ["a tool of the relay", hook("tool-ended", { tool: "send_message", isNoWork: true }), false],
  ["a question to the person", hook("asking", { tool: "Bash" }), true],
  ["what the person types", hook("prompted", { prompt: "go on with the wall" }), true],
  [
    "a bell",
    hook("prompted", { prompt: "[MESSAGE from storm] You have mail, note abcde. Call check_inbox." }),
    false,
  ],
  ["a turn that ends", hook("turn-ended"), false],
  ["a turn that fails", hook("turn-failed"), false],
  ["the end of all tools of an answer", hook("tools-ended"), false],
  ["a compaction", hook("conversation-began", { lost: "compacted" }), false],
])("whether a talk ends with %s", (_what, call, ends) => {
  expect(endsTalk(call)).toBe(ends);
});

/** Everybody who gets mail writes the next, until the brake holds it. Returns how many messages were let through. */
function letThemTalk(
  store: StoreFixture,
  ring: readonly Role[],
  before: (round: number, reader: Role) => void = () => {},
): number {
  const start = (role: Role) => {
    const brake = applyBrake({ role, mail: store.open(), most: 8 });
    brake.hear(hook("tools-ended"));
    return brake;
  };
  const brakes = new Map(ring.map((role) => [role, start(role)]));
  const memberAt = (place: number): Role => ring[place % ring.length] ?? "overlord";
  for (let round = 0; round < ROUNDS; round += 1) {
    const [from, to] = [memberAt(round), memberAt(round + 1)];
    const [writer, reader] = [brakes.get(from) ?? start(from), brakes.get(to) ?? start(to)];
    store.send({ from, to, subject: "thank you", talk: writer.next().talk });
    if (reader.holds(store.mail.unread(to, { handedOut: false }))) return round;
    const { messages, settle } = store.mail.claim(to);
    reader.wasRead(messages);
    settle();
    before(round, to);
    if (round % 3 !== 2) continue;
    // The relay of the reader is started anew: it goes on from its own report.
    const rest = { since: new Date().toISOString(), evidence: "hook", bell: { state: "quiet" } } as const;
    const talk = reader.talk() || undefined;
    store.mail.reportAgent({ role: to, relay: identifyOurselves(), state: "idle", ...rest, talk });
    brakes.set(to, start(to));
  }
  return ROUNDS;
}

const ROUNDS = 100;

it.each([
  ["two agents", ["inferno", "glacier"]],
  ["three agents in a ring", ["inferno", "glacier", "storm"]],
  ["all six in a ring", ["overlord", "strategist", "inferno", "glacier", "shadow", "storm"]],
] as const)(
  "%s that only write to each other are held after eight messages, also if their relays are started anew",
  async (_who, ring) => {
    await using store = makeStore();
    expect(letThemTalk(store, ring)).toBe(8);
  },
);

it("one who works in between is enough for all of them to go on, and so is a word of the person", async () => {
  for (const person of [false, true]) {
    await using store = makeStore();
    const worker = applyBrake({ role: "storm", mail: store.mail, most: 8 });
    const before = (round: number, reader: Role): void => {
      if (reader !== "inferno" || round % 4 !== 1) return;
      if (person) store.send({ from: "human", to: "glacier", subject: "go on" });
      else {
        worker.hear(hook("tool-ended", { tool: "Bash" }));
        store.send({ from: "storm", to: "glacier", subject: "done", talk: worker.next().talk });
      }
    };
    expect(letThemTalk(store, ["inferno", "glacier"], before)).toBe(ROUNDS);
  }
});

it("what the person lets go begins the count anew, and what they stop stays held", async () => {
  await using store = makeStore();
  const brake = applyBrake({ role: "glacier", mail: store.mail, most: 8 });
  const first = store.send({ from: "inferno", to: "glacier", talk: 9 });
  expect(brake.holds([first])).toBe(true);
  store.mail.recordBrakeDecision("glacier", { says: "stop", ids: [first] });
  expect(brake.holds([first])).toBe(true);
  // What comes afterwards is handed out without it.
  const fresh = store.send({ from: "human", to: "glacier", subject: "go on with the wall" });
  expect(brake.withoutStopped([first, fresh])).toEqual([fresh]);
  const reading = store.mail.claim("glacier");
  expect(reading).toMatchObject({ messages: [{ id: fresh }], remaining: 0 });
  reading.settle();
  store.mail.recordBrakeDecision("glacier", { says: "go", ids: [first] });
  expect(brake.holds([first])).toBe(false);
  const { messages } = store.mail.claim("glacier");
  brake.wasRead(messages);
  expect(brake.next()).toEqual({ talk: 1, isLast: false });
  // What comes after the decision is not part of it.
  expect(brake.holds([store.send({ from: "inferno", to: "glacier", talk: 9 })])).toBe(true);
});

it("an agent whose hooks say nothing is never in a talk: nothing would show that it works", async () => {
  await using store = makeStore();
  const brake = applyBrake({ role: "glacier", mail: store.mail, most: 2 });
  for (let round = 0; round < 3; round += 1) {
    store.send({ from: "inferno", to: "glacier", talk: brake.next().talk + 1 });
    const { messages, settle } = store.mail.claim("glacier");
    brake.wasRead(messages);
    settle();
    expect(brake.next()).toEqual({ talk: 1, isLast: false });
  }
});
