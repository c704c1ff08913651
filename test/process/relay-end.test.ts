import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { programPath } from "../support/program-path.ts";
import { INITIALIZE, startRawRelay, type RawRelay } from "../support/raw-relay.ts";
import { identifyProcess } from "../../src/system/process.ts";
import { OVLD } from "../support/ovld.ts";
import { relayEnv, startRelay } from "../support/relay.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { atMost } from "../support/wait-until.ts";

const CHECK_INBOX =
  '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"check_inbox","arguments":{}}}';
const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}';

async function busyRelay(sandbox: Sandbox): Promise<RawRelay> {
  const relay = startRawRelay(sandbox, "strategist");
  await relay.ask("initialize", INITIALIZE);
  await relay.ask("tools/call", { name: "check_inbox", arguments: {} });
  return relay;
}

it.each([
  ["SIGINT", (relay: RawRelay) => relay.child.kill("SIGINT")],
  ["SIGTERM", (relay: RawRelay) => relay.child.kill("SIGTERM")],
  ["SIGHUP", (relay: RawRelay) => relay.child.kill("SIGHUP")],
  ["the end of stdin", (relay: RawRelay) => relay.child.stdin.end()],
  [
    "a closed stdout",
    (relay: RawRelay) => {
      relay.child.stdout.destroy();
      relay.write('{"jsonrpc":"2.0","id":99,"method":"ping"}');
    },
  ],
])("%s ends the relay within a second, exit 0, nothing left behind", async (_what, end) => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  const before = readdirSync(sandbox.relayDir, { recursive: true });
  end(relay);
  const { code, milliseconds } = await relay.ended();
  expect(code).toBe(0);
  expect(milliseconds).toBeLessThan(await atMost(1_000));
  expect(relay.stderr()).toBe("");
  expect(readdirSync(sandbox.relayDir, { recursive: true })).toEqual(before);
});

it("mail whose answer could not be written is not forgotten", async () => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  openMail(sandbox.relayDir).deliver(letter);
  relay.child.stdout.destroy();
  relay.write(
    '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"check_inbox","arguments":{}}}',
  );
  await relay.ended();
  const next = await startRelay(sandbox, "strategist");
  expect((await next.call("check_inbox")).json).toEqual([
    expect.objectContaining({ subject: letter.subject, redelivered: true }),
  ]);
  expect((await next.call("check_inbox")).json).toEqual([]);
});

it.each([
  ["at once", async (relay: RawRelay) => relay.write(`${CHECK_INBOX}\n${CANCEL}`)],
  [
    "when the answer is already out",
    async (relay: RawRelay) => {
      relay.write(CHECK_INBOX);
      await expect.poll(() => relay.lines.at(-1)).toContain(letter.subject);
      relay.write(CANCEL);
    },
  ],
])("mail whose reading a person interrupts %s comes back, marked", async (_when, interrupt) => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  openMail(sandbox.relayDir).deliver(letter);
  await interrupt(relay);
  const { result } = await relay.ask("tools/call", { name: "check_inbox", arguments: {} });
  expect(JSON.parse(result.content[0].text)).toEqual([
    expect.objectContaining({ subject: letter.subject, redelivered: true }),
  ]);
});

it("mail whose reading is interrupted while a large answer is being written comes back, marked", async () => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  const mail = openMail(sandbox.relayDir);
  for (let count = 0; count < 7; count += 1) mail.deliver({ ...letter, body: "x".repeat(60_000) });
  relay.child.stdout.pause();
  relay.write(CHECK_INBOX);
  await expect.poll(() => readdirSync(join(sandbox.relayDir, "inbox/strategist"))).toEqual([]);
  relay.write(CANCEL);
  relay.child.stdout.resume();
  await expect.poll(() => relay.lines.some((line) => line.includes('"id":99'))).toBe(true);
  const { result } = await relay.ask("tools/call", { name: "check_inbox", arguments: {} });
  const again = JSON.parse(result.content[0].text);
  expect(again).toHaveLength(7);
  expect(again.every(({ redelivered }: { redelivered?: boolean }) => redelivered)).toBe(true);
});

it.each([0, 1_500])(
  "mail written to a client that died %i ms later without reading it comes back, marked",
  async (milliseconds) => {
    await using sandbox = makeSandbox();
    openMail(sandbox.relayDir).deliver(letter);
    const requests = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE })}\n${CHECK_INBOX}\n`;
    const client = spawn(process.execPath, [programPath("never-reading-client.mjs"), OVLD, requests], {
      env: relayEnv(sandbox, "strategist"),
      stdio: ["ignore", "pipe", "inherit"],
    });
    sandbox.defer(() => void client.kill("SIGKILL"));
    const [relayPid] = await once(client.stdout.setEncoding("utf8"), "data");
    await expect.poll(() => readdirSync(join(sandbox.relayDir, "inbox/strategist"))).toEqual([]);
    // The client hangs for this long; there is no condition to wait for instead.
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    client.kill("SIGKILL");
    await expect.poll(() => identifyProcess(Number(relayPid))).toBeUndefined();
    const next = await startRelay(sandbox, "strategist");
    expect((await next.call("check_inbox")).json).toEqual([
      expect.objectContaining({ subject: letter.subject, redelivered: true }),
    ]);
  },
);

it("a relay whose stderr is never read keeps working", async () => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  relay.child.stderr.pause();
  for (let count = 0; count < 8000; count += 1) relay.write("this is no JSON");
  expect(await relay.ask("ping")).toMatchObject({ result: {} });
});

it("requests that came before the end of stdin are answered", async () => {
  await using sandbox = makeSandbox();
  const relay = startRawRelay(sandbox, "overlord");
  const last = relay.ask("tools/call", {
    name: "send_message",
    arguments: { to: "storm", subject: "s", body: "" },
  });
  relay.child.stdin.end();
  expect((await last).result.content[0].text).toContain("stored");
  expect((await relay.ended()).code).toBe(0);
});

it("once its answer has settled, mail is gone from the disk without another call", async () => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  openMail(sandbox.relayDir).deliver(letter);
  relay.write(CHECK_INBOX);
  await expect.poll(() => relay.lines.at(-1)).toContain(letter.subject);
  // A silent client is given ten seconds.
  await expect.poll(() => readdirSync(join(sandbox.relayDir, "claimed/strategist"))).toEqual([]);
});

it("a client that sends its next request after an answer has settled it within a second", async () => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  openMail(sandbox.relayDir).deliver(letter);
  relay.write(CHECK_INBOX);
  await expect.poll(() => relay.lines.at(-1)).toContain(letter.subject);
  await relay.ask("ping");
  const began = performance.now();
  await expect.poll(() => readdirSync(join(sandbox.relayDir, "claimed/strategist"))).toEqual([]);
  expect(performance.now() - began).toBeLessThan(await atMost(1_000));
});

it("a client that cancels every call after it has the answer gets its mail twice, and no more", async () => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  const mail = openMail(sandbox.relayDir);
  const checkAndCancel = async (id: number): Promise<{ subject: string; redelivered?: true }[]> => {
    relay.write(CHECK_INBOX.replace("99", `${id}`));
    await expect.poll(() => relay.lines.at(-1)).toContain(`"id":${id}`);
    relay.write(CANCEL.replace("99", `${id}`));
    return JSON.parse(JSON.parse(relay.lines.at(-1) ?? "").result.content[0].text);
  };
  mail.deliver({ ...letter, subject: "first" });
  expect(await checkAndCancel(1_001)).toMatchObject([{ subject: "first" }]);
  mail.deliver({ ...letter, subject: "second" });
  expect(await checkAndCancel(1_002)).toMatchObject([
    { subject: "first", redelivered: true },
    { subject: "second" },
  ]);
  expect(await checkAndCancel(1_003)).toMatchObject([{ subject: "second", redelivered: true }]);
  expect(await checkAndCancel(1_004)).toEqual([]);
});

it("mail taken by a relay that was killed is read by the next one, marked", async () => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  openMail(sandbox.relayDir).deliver(letter);
  // A client that stops reading: the answer does not fit into the pipe, and the relay waits with it.
  for (let count = 0; count < 6; count += 1) {
    openMail(sandbox.relayDir).deliver({ ...letter, body: "x".repeat(60_000) });
  }
  relay.child.stdout.pause();
  relay.write(
    '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"check_inbox","arguments":{}}}',
  );
  await expect.poll(() => readdirSync(join(sandbox.relayDir, "inbox/strategist"))).toEqual([]);
  relay.child.kill("SIGKILL");
  await relay.ended();
  const next = await startRelay(sandbox, "strategist");
  const { json } = await next.call("check_inbox");
  expect(json).toHaveLength(7);
  expect(json.every(({ redelivered }: { redelivered?: boolean }) => redelivered)).toBe(true);
  await next.close();
  const journal = readFileSync(join(sandbox.relayDir, "journal.jsonl"), "utf8");
  expect(journal.match(/"redelivered":true/g)).toHaveLength(7);
});
