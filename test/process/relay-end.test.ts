import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { INITIALIZE, startRawRelay, type RawRelay } from "../support/raw-relay.ts";
import { startRelay } from "../support/relay.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";

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
  expect(milliseconds).toBeLessThan(1000);
  expect(relay.stderr()).toBe("");
  expect(readdirSync(sandbox.relayDir, { recursive: true })).toEqual(before);
});

it("mail whose answer could not be written out is not forgotten", async () => {
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

it("requests that came before the end of stdin are answered", async () => {
  await using sandbox = makeSandbox();
  const relay = startRawRelay(sandbox, "overlord");
  const last = relay.ask("tools/call", {
    name: "send_message",
    arguments: { to: "storm", subject: "s", body: "" },
  });
  relay.child.stdin.end();
  expect(JSON.parse((await last).result.content[0].text).stored).toBe(true);
  expect((await relay.ended()).code).toBe(0);
});

it("once its answer has settled, mail is gone from the disk without another call", async () => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  openMail(sandbox.relayDir).deliver(letter);
  relay.write(CHECK_INBOX);
  await expect.poll(() => relay.lines.at(-1)).toContain(letter.subject);
  await expect.poll(() => readdirSync(join(sandbox.relayDir, "claimed/strategist"))).toEqual([]);
});

it("mail taken by a relay that was killed is read by the next one, marked", async () => {
  await using sandbox = makeSandbox();
  const relay = await busyRelay(sandbox);
  openMail(sandbox.relayDir).deliver(letter);
  // A client that stops reading: the answer does not fit into the pipe, and the relay waits with it in hand.
  for (let count = 0; count < 40; count += 1) {
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
  expect(json).toHaveLength(41);
  expect(json.every(({ redelivered }: { redelivered?: boolean }) => redelivered)).toBe(true);
  await next.close();
  const journal = readFileSync(join(sandbox.relayDir, "journal.jsonl"), "utf8");
  expect(journal.match(/"redelivered":true/g)).toHaveLength(41);
});
