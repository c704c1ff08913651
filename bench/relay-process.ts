/** A real `ovld relay`, spoken to in bare JSON-RPC: the cost of a client library is not ours to measure. */
import { join } from "node:path";
import * as z from "zod";
import type { Role } from "../src/army/roles.ts";
import { talkWith, type LineTalk } from "./line-talk.ts";
import type { Child, Workplace } from "./workplace.ts";

/** The benchmark runs from a bundle elsewhere; `npm run` puts it into the project's folder. */
export const OVLD = join(process.cwd(), "bin", "ovld.mjs");

export interface RelayProcess {
  child: Child;
  talk: LineTalk;
  /** Asks and waits; fails if the answer is an error. */
  ask(method: string, params?: Record<string, unknown>): Promise<unknown>;
}

/** A request as it goes over the wire. One is under way at a time, so its id tells nobody anything. */
function printRequest(method: string, params: Record<string, unknown> = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

export function printToolCall(name: string, args: Record<string, unknown> = {}): string {
  return printRequest("tools/call", { name, arguments: args });
}

const answer = z.object({ result: z.looseObject({ isError: z.literal(false).optional() }) });

/** What a relay answered; throws if that is an error, of the protocol's or of a tool's. */
export function readAnswer(line: string): Record<string, unknown> {
  const parsed = answer.safeParse(JSON.parse(line));
  if (!parsed.success) throw new Error(`The relay answered ${line}`);
  return parsed.data.result;
}

/** Returns when `initialize` has been answered. */
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

/** With its tools listed, so that it keeps a bell as an agent's relay does. */
export async function startLoaded(place: Workplace, relayDir: string, role: Role): Promise<RelayProcess> {
  const relay = await startRelay(place, relayDir, role);
  await relay.ask("tools/list");
  return relay;
}
