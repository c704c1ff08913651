import { join } from "node:path";
import { expect, it } from "vitest";
import { MOST_MAIL } from "../../../src/army/words.ts";
import { formatMessage } from "../../../src/mail/store/message.ts";
import { askHub, type Link } from "../../../src/machines/carrier/link.ts";
import { type Carrier, openCarrier } from "../../support/carrier.ts";
import { startHub } from "../../support/nats.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import { soon, waitUntil } from "../../support/wait-until.ts";

const KEYS = { zero: "0", one: "1", two: "2", three: "3" };

/** A reader that already has its connection and its first message, and a second one of the same role beside it. */
async function makeReaders(sandbox: Sandbox) {
  const hub = await startHub(sandbox);
  const open = (machine: string): Carrier => {
    const carrier = openCarrier({
      membership: { ...hub.membership, machine },
      user: "storm",
      folder: join(sandbox.root, machine),
      limits: MOST_MAIL,
    });
    sandbox.defer(() => carrier.close());
    return carrier;
  };
  const [storm, other] = [open("near"), open("far")];
  const overlord = hub.link(hub.keys.overlord.seed);
  await overlord.whenUp(20_000);
  await store(overlord, "zero");
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(1);
  expect(await readAll(storm)).toMatchObject([["zero", false]]);
  return { hub, storm, overlord, other };
}

/** Whether the hub has stored it: it refuses a key that it remembers. */
async function store(overlord: Link, body: keyof typeof KEYS): Promise<boolean> {
  const draft = { from: "overlord", to: "storm", subject: "order", body, priority: "normal" } as const;
  const data = formatMessage({ id: "", ...draft, timestamp: new Date().toISOString() });
  const headers = { "Nats-Msg-Id": KEYS[body].padStart(24, "0") };
  const got = await askHub(overlord, "inbox.storm.overlord", { data, headers, withinMs: 20_000 });
  const stored = "message" in got ? got.message.json<{ seq?: number; duplicate?: boolean }>() : {};
  expect(stored).toHaveProperty("seq");
  return stored.duplicate !== true;
}

async function readAll(storm: Carrier): Promise<[string, boolean][]> {
  const { messages, settle } = await storm.claim();
  await settle();
  return messages.map(({ body, redelivered }) => [body, redelivered]);
}

it("older mail that another reader has taken and not settled comes before newer mail, marked", async () => {
  await using sandbox = makeSandbox();
  const { storm, overlord, other } = await makeReaders(sandbox);
  await store(overlord, "one");
  await expect.poll(() => other.countUnread("storm"), soon).toBe(1);
  // It dies, or is slow.
  expect((await other.claim()).messages).toMatchObject([{ body: "one", redelivered: false }]);
  await store(overlord, "two");
  // This reader has to learn first that the other one has written the note.
  await expect
    .poll(() => readAll(storm).catch(() => []), soon)
    .toEqual([
      ["one", true],
      ["two", false],
    ]);
});

it("a message that the hub has stored twice keeps its place, and comes once", async () => {
  await using sandbox = makeSandbox();
  const { hub, storm, overlord } = await makeReaders(sandbox);
  const admin = hub.link(hub.admin.seed);
  await admin.whenUp(20_000);
  const call = async (name: string, data = "") => {
    const got = await askHub(admin, `$JS.API.STREAM.${name}.INBOX_storm`, { data, withinMs: 20_000 });
    return "message" in got ? got.message.json<{ config: object }>() : undefined;
  };
  // The hub now forgets keys as soon as a hub that was killed would. It looks for old keys as soon as the window
  // changes, at times still by the window from before, and then again only after that: an hour. So it changes twice.
  const { config } = (await call("INFO")) ?? {};
  for (const duplicate_window of [200_000_000, 100_000_000]) {
    await call("UPDATE", JSON.stringify({ ...config, duplicate_window }));
  }
  await store(overlord, "one");
  await store(overlord, "two");
  await waitUntil("the hub has stored it twice", () => store(overlord, "one"), soon);
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(3);
  await store(overlord, "three");
  expect(await readAll(storm)).toEqual([
    ["one", false],
    ["two", false],
    ["three", false],
  ]);
  await expect.poll(() => storm.countUnread("storm"), soon).toBe(0);
});
