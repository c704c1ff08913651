/** The four kinds of rounds: a worker that dies at a named step, or a real relay that is killed at any moment. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Mail } from "../../src/mail/mail.ts";
import { OVLD } from "../support/ovld.ts";
import type { Ledger } from "./ledger.ts";
import { READER_STEPS, SENDER_STEPS, type WorkerPlan } from "./plan.ts";
import { parseLines } from "../support/read-lines.ts";

export interface Lane {
  relayDir: string;
  /** The bundled worker. */
  worker: string;
  mail: Mail;
  ledger: Ledger;
  env: Record<string, string>;
  /** A whole number below the limit. */
  random(limit: number): number;
  bodies(count: number): string[];
}

/** True if the round did what it should: a process really died. */
type Round = (lane: Lane) => Promise<boolean>;

const SOME = 5;

export const ROUNDS: Record<string, Round> = {
  "sender dies at a step": (lane) =>
    letWorkerDie(lane, {
      relayDir: lane.relayDir,
      task: "send",
      bodies: lane.bodies(SOME),
      die: { at: pick(lane, SENDER_STEPS), occurrence: 1 + lane.random(SOME) },
    }),

  "reader dies at a step": (lane) => {
    fillInbox(lane);
    const at = pick(lane, [...READER_STEPS, "answered"] as const);
    const occurrence = at === "moved" || at === "removed" ? 1 + lane.random(SOME) : 1;
    return letWorkerDie(lane, { relayDir: lane.relayDir, task: "read", bodies: [], die: { at, occurrence } });
  },

  "sending relay is killed": (lane) =>
    killRelay(
      lane,
      "overlord",
      lane.bodies(20).map((body) => ({
        name: "send_message",
        arguments: { to: "strategist", subject: "order", body },
      })),
    ),

  "reading relay is killed": (lane) => {
    fillInbox(lane);
    return killRelay(lane, "strategist", [{ name: "check_inbox", arguments: {} }]);
  },
};

function fillInbox(lane: Lane): void {
  for (const body of lane.bodies(SOME)) {
    const message = lane.mail.deliver({
      from: "storm",
      to: "strategist",
      subject: "s",
      body,
      priority: "normal",
    });
    lane.ledger.stored(message.id);
  }
}

async function letWorkerDie(lane: Lane, plan: WorkerPlan): Promise<boolean> {
  const child = spawn(process.execPath, [lane.worker, JSON.stringify(plan)], {
    env: lane.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  for (const report of parseLines(await readAll(child.stdout))) {
    if ("stored" in report) lane.ledger.stored(report.stored);
    else lane.ledger.read(report.read);
  }
  const [, signal] = await ended;
  return signal === "SIGKILL";
}

/** Long enough to outlast the calls, short enough to fall among them often. */
const LONGEST_LIFE_MS = 14;

async function killRelay(lane: Lane, role: string, calls: object[]): Promise<boolean> {
  const env = { ...lane.env, OVLD_ROLE: role, OVLD_RELAY_DIR: lane.relayDir, OVLD_SESSION: "torture" };
  const child = spawn(process.execPath, [OVLD, "relay"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  child.stdin.on("error", () => {});
  const request = (id: number, method: string, params: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  request(0, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "torture", version: "0" },
  });
  const output = readAll(child.stdout);
  await once(child.stdout, "data");
  for (const [index, call] of calls.entries()) request(index + 1, "tools/call", call);
  setTimeout(() => child.kill("SIGKILL"), (LONGEST_LIFE_MS * lane.random(1000)) / 1000);
  for (const answer of parseLines(await output)) {
    const text = answer.result?.content?.[0]?.text;
    const id = answer.result?.["_meta"]?.id;
    // A message that is stored has an id; what was read is a list.
    if (id !== undefined) lane.ledger.stored(id);
    else if (text?.startsWith("[")) lane.ledger.read(JSON.parse(text));
  }
  const [, signal] = await ended;
  return signal === "SIGKILL";
}

function pick<Choice>(lane: Lane, choices: readonly [Choice, ...Choice[]] | readonly Choice[]): Choice {
  const choice = choices[lane.random(choices.length)];
  if (choice === undefined) throw new Error("nothing to choose from");
  return choice;
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(stream, "end");
  return Buffer.concat(chunks).toString();
}
