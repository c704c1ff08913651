/** A real `ovld relay`, addressed in bare JSON-RPC, so that no client library is measured along with it. */
import { parseSettings } from "../src/config/settings.ts";
import { join } from "node:path";
import * as z from "zod";
import { HOOK_TOOL } from "../src/agent/hook-call.ts";
import { planRelay, makeSecrets } from "../src/summon/army-files.ts";
import { practice } from "../src/agent/practice/practice.ts";
import type { Role } from "../src/army/roles.ts";
import { talkWith, type LineTalk } from "./line-talk.ts";
import type { Child, Workplace } from "./workplace.ts";

/** The benchmark runs from a bundle elsewhere, but `npm run` starts it in the project's folder. */
export const OVLD = join(process.cwd(), "bin", "ovld.cjs");

export interface RelayProcess {
  child: Child;
  talk: LineTalk;
  /** Sends a request and waits; throws if the answer is an error. */
  ask(method: string, params?: Record<string, unknown>): Promise<unknown>;
}

/** A request as it is sent. Only one is in progress at a time, so the id does not matter. */
function printRequest(method: string, params: Record<string, unknown> = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

export function printToolCall(name: string, args: Record<string, unknown> = {}): string {
  return printRequest("tools/call", { name, arguments: args });
}

const answer = z.object({ result: z.looseObject({ isError: z.literal(false).optional() }) });

/** What a relay answered; throws if that is an error of the protocol or of a tool. */
export function readAnswer(line: string): Record<string, unknown> {
  const parsed = answer.safeParse(JSON.parse(line));
  if (!parsed.success) throw new Error(`The relay answered ${line}`);
  return parsed.data.result;
}

/** Returns once `initialize` has been answered. */
export async function startRelay(
  place: Workplace,
  relayDir: string,
  role: Role,
  more: Record<string, string> = {},
): Promise<RelayProcess> {
  const env = { OVLD_ROLE: role, OVLD_RELAY_DIR: relayDir, OVLD_SESSION: "bench", ...more };
  const child = place.startNode([OVLD, "relay"], env);
  const talk = talkWith(child);
  const ask = async (method: string, params?: Record<string, unknown>): Promise<unknown> => {
    talk.say(printRequest(method, params));
    return readAnswer(await talk.hear());
  };
  await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "0" },
  });
  talk.say(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return { child, talk, ask };
}

const SECRETS = makeSecrets();

/** As an agent starts it: it runs a bell, because its tools have been listed. */
export async function startLoaded(place: Workplace, relayDir: string, role: Role): Promise<RelayProcess> {
  const plan = {
    session: "bench",
    relayDir,
    cwd: relayDir,
    agent: practice,
    agentProgram: process.execPath,
    ovld: { node: process.execPath, file: OVLD },
    zellij: "/nowhere",
    settings: parseSettings({}),
    secrets: SECRETS,
  } as const;
  const relay = await startRelay(place, relayDir, role, planRelay(plan, role).env);
  await relay.ask("tools/list");
  return relay;
}

/** As an agent's hook says it: from now on the agent works, and the relay holds its bell. */
export async function beginTurn(relay: RelayProcess, role: Role): Promise<void> {
  const report = { secret: SECRETS[role], event: "UserPromptSubmit", prompt: "work" };
  await relay.ask("tools/call", { name: HOOK_TOOL, arguments: report });
}
