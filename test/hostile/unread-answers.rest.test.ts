import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { pause } from "../../src/system/async.ts";
import { isSuspended, identifyProcess } from "../../src/system/process.ts";
import { OVLD } from "../support/ovld.ts";
import { INITIALIZE, startRawRelay } from "../support/raw-relay.ts";
import { relayEnv, startRelay } from "../support/relay.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";

const CHECK_INBOX =
  '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"check_inbox","arguments":{}}}';
const PING = '{"jsonrpc":"2.0","id":100,"method":"ping"}';
const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}';

const isHandedOut = (sandbox: Sandbox): boolean =>
  [...openMail(sandbox.relayDir).journal().next()].some(({ event }) => event === "read");

async function readNext(sandbox: Sandbox): Promise<unknown> {
  const next = await startRelay(sandbox, "strategist");
  return (await next.call("check_inbox")).json;
}

it("mail in an answer that a living client closed its pipe on without reading comes back, marked", async () => {
  await using sandbox = makeSandbox();
  openMail(sandbox.relayDir).deliver(letter);
  const env = relayEnv(sandbox, "strategist");
  const child = spawn(process.execPath, [OVLD, "relay"], { env, stdio: ["pipe", "pipe", "ignore"] });
  sandbox.defer(() => void child.kill("SIGKILL"));
  const exit = once(child, "exit");
  child.stdin.write(`${CHECK_INBOX}\n`);
  await expect.poll(() => isHandedOut(sandbox)).toBe(true);
  child.stdout.destroy();
  child.stdin.write(`${PING}\n`);
  await exit;
  expect(await readNext(sandbox)).toMatchObject([{ subject: letter.subject, redelivered: true }]);
});

it("a cancellation that came while the relay itself was stopped still brings the mail back", async () => {
  await using sandbox = makeSandbox();
  const relay = startRawRelay(sandbox, "strategist");
  await relay.ask("initialize", INITIALIZE);
  await relay.ask("tools/call", { name: "check_inbox", arguments: {} });
  openMail(sandbox.relayDir).deliver(letter);
  relay.write(CHECK_INBOX);
  await expect.poll(() => isHandedOut(sandbox), { interval: 5 }).toBe(true);
  await relay.ask("ping");
  const identity = identifyProcess(relay.child.pid ?? 0) ?? "0";
  relay.child.kill("SIGSTOP");
  await expect.poll(() => isSuspended(identity), { interval: 5 }).toBe(true);
  relay.write(CANCEL);
  // Longer than the relay waits for a cancellation.
  await pause(1_000);
  relay.child.kill("SIGCONT");
  const { result } = await relay.ask("tools/call", { name: "check_inbox", arguments: {} });
  expect(JSON.parse(result.content[0].text)).toMatchObject([{ subject: letter.subject, redelivered: true }]);
});
