import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startRelay, type RelayClient } from "../support/relay.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { fillDisk, mountSmallDisk } from "../support/small-disk.ts";
import { withoutRootsPowers } from "../support/unprivileged.ts";

const order = { to: "storm", subject: "s", body: "b" };

async function expectRefused(relay: RelayClient, reason: RegExp): Promise<void> {
  const { isError, text } = await relay.call("send_message", order);
  expect(text).toMatch(reason);
  expect(text).toMatch(/^Not stored\./);
  expect(isError).toBe(true);
}

async function expectStored(relay: RelayClient): Promise<void> {
  expect((await relay.call("send_message", order)).text).toBe("stored");
}

/** The earlier mail is intact, no incomplete file is next to it, and what was refused is not there. */
async function expectUnread(sandbox: Sandbox, count: number): Promise<void> {
  const storm = await startRelay(sandbox, "storm");
  expect((await storm.call("check_inbox")).json).toHaveLength(count);
  expect(readdirSync(join(sandbox.relayDir, "quarantine"))).toEqual([]);
  expect(readdirSync(join(sandbox.relayDir, "tmp"))).toEqual([]);
}

it("on a full disk a message is reported as not stored, and the next is stored once there is room", async (context) => {
  await using sandbox = makeSandbox();
  mountSmallDisk(context, sandbox);
  const relay = await startRelay(sandbox, "overlord");
  await expectStored(relay);
  const filler = join(sandbox.relayDir, "filler");
  fillDisk(filler);
  await expectRefused(relay, /The disk is full/);
  rmSync(filler);
  await expectStored(relay);
  await expectUnread(sandbox, 2);
});

it("above the file-size limit a message is reported as not stored, and a smaller one is stored", async () => {
  await using sandbox = makeSandbox();
  const prefix = ["bash", "-c", 'ulimit -f 8; exec "$@"', "bash"];
  const relay = await startRelay(sandbox, "overlord", { prefix });
  await expectStored(relay);
  const { text, isError } = await relay.call("send_message", { ...order, body: "x".repeat(60_000) });
  expect(isError).toBe(true);
  expect(text).toMatch(/^Not stored\. The file-size limit/);
  await expectStored(relay);
  await expectUnread(sandbox, 2);
});

it("in a read-only folder a message is reported as not stored, and the next is stored once it is writable", async () => {
  await using sandbox = makeSandbox();
  const relay = await startRelay(sandbox, "overlord", { prefix: withoutRootsPowers() });
  await expectStored(relay);
  const tmp = join(sandbox.relayDir, "tmp");
  chmodSync(tmp, 0o500);
  await expectRefused(relay, /cannot be written/);
  chmodSync(tmp, 0o700);
  const inbox = join(sandbox.relayDir, "inbox/storm");
  chmodSync(inbox, 0o500);
  await expectRefused(relay, /cannot be written/);
  chmodSync(inbox, 0o700);
  await expectStored(relay);
  await expectUnread(sandbox, 2);
});

it("a relay folder that cannot be created is reported, and created once it can be", async () => {
  await using sandbox = makeSandbox();
  chmodSync(sandbox.root, 0o500);
  const relay = await startRelay(sandbox, "overlord", { prefix: withoutRootsPowers() });
  await expectRefused(relay, /cannot be written/);
  chmodSync(sandbox.root, 0o700);
  await expectStored(relay);
});

it("a relay folder that is removed while the relay runs is reported, and used again when it is back", async () => {
  await using sandbox = makeSandbox();
  const relay = await startRelay(sandbox, "overlord");
  await expectStored(relay);
  rmSync(sandbox.relayDir, { recursive: true });
  await expectRefused(relay, /The mail folder .* is gone/);
  expect((await relay.call("check_inbox")).text).toMatch(/is gone/);
  mkdirSync(sandbox.relayDir);
  await expectStored(relay);
});

it("after the clock was set back, mail keeps its order", async () => {
  await using sandbox = makeSandbox();
  const relay = await startRelay(sandbox, "overlord");
  await relay.call("check_inbox");
  // What a relay whose clock was far ahead would have left in the inbox.
  const ahead = { from: "overlord", to: "storm", subject: "first", body: "", priority: "normal" };
  writeFileSync(
    join(sandbox.relayDir, "inbox/storm/0zzzzzzzz000-000000.json"),
    JSON.stringify({ ...ahead, timestamp: "2059-01-01T00:00:00.000Z" }),
  );
  await relay.call("send_message", { ...order, subject: "second" });
  await relay.call("send_message", { ...order, subject: "third" });
  const storm = await startRelay(sandbox, "storm");
  const { json } = await storm.call("check_inbox");
  expect(json.map(({ subject }: { subject: string }) => subject)).toEqual(["first", "second", "third"]);
});
