/** The servers of a hub that has three: which of the others answer, and whether they can store anything together. */
import { findGreeting } from "../carrier/greeting.ts";
import { ask, openLink } from "../carrier/link.ts";
import { pause } from "../../system/async.ts";
import { localAddress } from "./hub-place.ts";
import type { HubState } from "./hub-state.ts";

const GREET_MS = 1_000;
/** Servers that have just met choose a leader first. */
const LEADER_MS = 30_000;
const ANSWER_MS = 2_000;
const LOOK_EVERY_MS = 100;

export async function othersThatAnswer({ cluster }: HubState): Promise<string[]> {
  const others = cluster?.servers.filter((_server, index) => index !== cluster.own) ?? [];
  const problems = await Promise.all(others.map((other) => findGreeting(other, GREET_MS)));
  return others.filter((_other, index) => problems[index] === undefined);
}

/** Streams can be made only when all servers that are to keep them are there. */
export async function allAnswer(state: HubState): Promise<boolean> {
  const answering = await othersThatAnswer(state);
  return answering.length === (state.cluster?.servers.length ?? 1) - 1;
}

/** One of three servers cannot store anything alone. */
export async function canStore(state: HubState): Promise<boolean> {
  const { cluster, listen, tls, keeper } = state;
  if (cluster === undefined) return true;
  if ((await othersThatAnswer(state)).length === 0) return false;
  const servers = [localAddress(listen)];
  const link = openLink({ servers, ca: tls?.ca, seed: keeper.seed, name: "ovld hub" });
  try {
    const until = performance.now() + LEADER_MS;
    while (performance.now() < until) {
      const got = await ask(link, "$JS.API.INFO", { withinMs: ANSWER_MS });
      if ("message" in got && !got.message.string().includes('"error"')) return true;
      await pause(LOOK_EVERY_MS);
    }
    return false;
  } finally {
    await link.close();
  }
}
