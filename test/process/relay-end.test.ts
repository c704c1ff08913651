import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { INITIALIZE, startRawRelay, type RawRelay } from "../support/raw-relay.ts";
import { startRelay } from "../support/relay.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";

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
  expect(readFileSync(join(sandbox.relayDir, "journal.jsonl"), "utf8")).toContain('"redelivered":true');
});
