/**
 * Bad lines for a real relay: each request gets an answer in the protocol, and no mail is lost because of any of
 * them.
 */
import * as fc from "fast-check";
import { otherRoles, type Role } from "../../../src/army/roles.ts";
import { openMail, type Mail } from "../../../src/mail/mail.ts";
import { INITIALIZE, startRawRelay, type RawRelay } from "../../support/raw-relay.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import type { Lane } from "./hostile.ts";
import { toolInput, type ToolInput } from "./inputs.ts";

const ROLE: Role = "overlord";
/** How many are in progress at once. */
const WINDOW = 40;
const PATIENCE_MS = 30_000;
const RAW = /[^\P{Cc}\n\t]/u;

export async function attackTools({ count, seed, tell, breach }: Lane): Promise<void> {
  await using sandbox = makeSandbox();
  const mail = openMail(sandbox.relayDir);
  mail.init();
  const books = openBooks(breach);
  let relay = await startRelay(sandbox);
  for (let done = 0; done < count; done += WINDOW) {
    const inputs = fc.sample(toolInput, { seed: seed + done, numRuns: Math.min(WINDOW, count - done) });
    const own = mail.deliver({ from: "human", to: ROLE, subject: "s", body: `${done}`, priority: "normal" });
    books.stored(own.id);
    const from = relay.lines.length;
    const asked = inputs.map((input, index) => give(relay, input, `t${done + index}`));
    const expected = asked.filter((id) => id !== undefined && !isCancelled(id, inputs));
    const answered = await waitForAnswers(relay, expected, from);
    for (const line of relay.lines.slice(from)) checkLine(line, books, breach);
    if (RAW.test(relay.stderr()))
      breach(`raw control characters on stderr: ${JSON.stringify(relay.stderr())}`);
    if (!answered) {
      const died = relay.child.exitCode !== null || relay.child.signalCode !== null;
      const what = died ? `the relay died: ${relay.stderr()}` : "not every request was answered";
      breach(`${what}; inputs ${done} to ${done + inputs.length}: ${JSON.stringify(inputs).slice(0, 2_000)}`);
      relay.child.kill("SIGKILL");
      relay = await startRelay(sandbox);
    }
    drain(mail, books);
    tell(inputs.length);
  }
  const last = relay.lines.length;
  await relay.ask("tools/call", { name: "check_inbox", arguments: {} });
  for (const line of relay.lines.slice(last)) checkLine(line, books, breach);
  books.close();
}

async function startRelay(sandbox: Parameters<typeof startRawRelay>[0]): Promise<RawRelay> {
  const relay = startRawRelay(sandbox, ROLE);
  await relay.ask("initialize", INITIALIZE);
  await relay.ask("tools/list");
  return relay;
}

/** The id, if it is a request that must be answered. */
function give(relay: RawRelay, input: ToolInput, id: string): string | undefined {
  if ("line" in input) {
    relay.write(input.line);
    return undefined;
  }
  const request = "call" in input ? { method: "tools/call", params: input.call } : input;
  relay.write(JSON.stringify({ jsonrpc: "2.0", id, ...request }));
  return id;
}

/** A cancelled request need not be answered. */
function isCancelled(id: string, inputs: ToolInput[]): boolean {
  return inputs.some((input) => "line" in input && input.line.includes(`"requestId":"${id}"`));
}

async function waitForAnswers(relay: RawRelay, ids: (string | undefined)[], from: number): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  const missing = new Set<unknown>(ids);
  for (let seen = from; missing.size > 0;) {
    for (; seen < relay.lines.length; seen += 1) missing.delete(parse(relay.lines[seen] ?? "")?.id);
    if (missing.size === 0) break;
    if (performance.now() > until || relay.child.exitCode !== null) return false;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return true;
}

/** Each line must be valid in the protocol, and its text safe to show. */
function checkLine(line: string, books: Books, breach: (what: string) => void): void {
  const answer = parse(line);
  const isAnswer =
    answer?.jsonrpc === "2.0" && ("result" in answer || "error" in answer || "method" in answer);
  if (!isAnswer) return breach(`no line of the protocol: ${line.slice(0, 300)}`);
  const texts: string[] = (answer.result?.content ?? []).map((part: { text: string }) => part.text);
  for (const text of [...texts, answer.error?.message ?? ""])
    if (RAW.test(text)) breach(`raw control characters in an answer: ${JSON.stringify(text)}`);
  const { id, ids = [] } = answer.result?.["_meta"] ?? {};
  for (const each of [id, ...ids]) if (typeof each === "string") books.stored(each);
  const told = texts[0]?.startsWith("[") ? parse(texts[0]) : undefined;
  if (Array.isArray(told)) for (const message of told) books.read(message);
}

function drain(mail: Mail, books: Books): void {
  for (const role of otherRoles(ROLE)) {
    const claim = mail.claim(role);
    for (const message of claim.messages) books.read(message);
    claim.settle();
  }
}

interface Books {
  stored(id: string): void;
  read(message: { id: string; redelivered?: boolean }): void;
  close(): void;
}

function openBooks(breach: (what: string) => void): Books {
  const promised = new Set<string>();
  const seen = new Set<string>();
  return {
    stored: (id) => void promised.add(id),
    read({ id, redelivered = false }) {
      if (seen.has(id) && !redelivered) breach(`${id} was read twice and not marked`);
      seen.add(id);
    },
    close() {
      for (const id of promised) if (!seen.has(id)) breach(`${id} was stored and never read`);
    },
  };
}

function parse(line: string): any {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
