import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { otherRoles } from "../../src/army/roles.ts";
import { letter, makeStore, type StoreFixture } from "../support/store.ts";
import { INITIALIZE, startRawRelay, type RawRelay } from "../support/raw-relay.ts";

const MESSAGES = 1_000;

/** A relay as an agent uses it: its tools have been listed, so it runs a bell. */
async function startAgentRelay(store: StoreFixture): Promise<RawRelay> {
  const relay = startRawRelay(store.sandbox, "strategist");
  await relay.ask("initialize", INITIALIZE);
  await relay.ask("tools/list");
  return relay;
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await action();
  return performance.now() - from;
}

function percentile(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? NaN;
}

/** The processor time of a process's main thread, in milliseconds. */
function processorTime(pid: number | undefined): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

// The bars are ten times what is measured on an idle machine, and above what a relay without mail takes in the same
// time, because the suite shares its two cores.
it.each([
  ["1 kB", 1_000],
  ["60 kB", 60_000],
])("a burst of 1,000 messages of %s does not stop their reader's relay from answering", async (_, bytes) => {
  await using store = makeStore();
  await using elsewhere = makeStore();
  const relay = await startAgentRelay(store);
  const bystander = await startAgentRelay(elsewhere);
  const senders = otherRoles("strategist").map((role) => startRawRelay(store.sandbox, role));
  const sends = senders.flatMap((sender) =>
    Array.from({ length: MESSAGES / senders.length }, () =>
      sender.ask("tools/call", {
        name: "send_message",
        arguments: { to: "strategist", subject: "burst", body: "x".repeat(bytes) },
      }),
    ),
  );
  const sending = { over: false };
  const over = Promise.all(sends).finally(() => (sending.over = true));
  const pings: number[] = [];
  const floor: number[] = [];
  while (!sending.over) {
    pings.push(await timed(() => relay.ask("ping")));
    floor.push(await timed(() => bystander.ask("ping")));
    await pause(5);
  }
  const answers = await over;
  expect(answers.filter(({ result }) => result.isError)).toEqual([]);
  const slowness = percentile(floor, 0.99);
  expect(percentile(pings, 0.99)).toBeLessThan(500 + 10 * slowness);
  const reading = await timed(() => relay.ask("tools/call", { name: "check_inbox", arguments: {} }));
  expect(reading).toBeLessThan(5_000 + 10 * slowness);
});

it("a relay with 1,000 held messages hardly uses the processor", async () => {
  await using store = makeStore();
  for (let count = 0; count < MESSAGES; count += 1) store.send(letter);
  const relay = await startAgentRelay(store);
  await expect
    .poll(() => store.mail.agentReport("strategist")?.heard)
    .toBe(store.mail.unread("strategist", { handedOut: true }).at(-1));
  await pause(1_000);
  const before = processorTime(relay.child.pid);
  await pause(4_000);
  const share = (processorTime(relay.child.pid) - before) / 4_000;
  expect(share).toBeLessThan(0.03);
});
