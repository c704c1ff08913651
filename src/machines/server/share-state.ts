/**
 * A hub of three servers has one list of armies and keys, the first machine's. It is kept in a stream of the hub
 * itself; the process that supervises each of the other servers takes it over from there.
 */
import * as z from "zod/mini";
import { ask, type Link } from "../carrier/link.ts";
import { parseJson } from "../../system/json.ts";
import { pause } from "../../system/async.ts";
import { SERVERS_OF_A_CLUSTER } from "./cluster.ts";
import { requireHub, writeHub, type HubFiles } from "./hub-files.ts";
import { armiesOnHub, withoutAdminSeeds, type HubState } from "./hub-state.ts";
import { findServerProcess, signalServer } from "./server-process.ts";

const SUBJECT = "hub.state";
/** The server publishes here what was stored. If the others listened to the subject itself, nobody would be missed. */
const NEWS = "hub.news";
const STREAM = {
  name: "HUB",
  subjects: [SUBJECT],
  storage: "file",
  num_replicas: SERVERS_OF_A_CLUSTER,
  max_msgs_per_subject: 1,
  allow_direct: true,
  republish: { src: SUBJECT, dest: NEWS },
};
const ANSWER_MS = 2_000;
/** A server works with a new army only after it has read its configuration twice. */
const RELOAD_AFTER_MS = [0, 400, 1_200];

const sharedState = z.object({ revision: z.int(), armies: armiesOnHub });

type SharedState = z.infer<typeof sharedState>;

/** False if the hub has not stored it. */
export async function shareState(link: Link, state: HubState): Promise<boolean> {
  const shared: SharedState = {
    revision: state.cluster?.revision ?? 0,
    armies: withoutAdminSeeds(state).armies,
  };
  const put = () => ask(link, SUBJECT, { data: JSON.stringify(shared), withinMs: ANSWER_MS });
  let got = await put();
  if ("silence" in got && got.silence === "no-responders") {
    await ask(link, `$JS.API.STREAM.CREATE.${STREAM.name}`, {
      data: JSON.stringify(STREAM),
      withinMs: ANSWER_MS,
    });
    got = await put();
  }
  return "message" in got && got.message.string().includes('"seq":');
}

/** Call `look` now and then. `link` belongs to the process that supervises a server. */
export function keepShared(files: HubFiles, link: Link): { look: () => Promise<void> } {
  const listen = (): void => {
    link.up()?.subscribe(NEWS, {
      callback: (_error, message) => void take(files, readShared(message.string())),
    });
  };
  link.onUp(listen);
  if (link.up() !== undefined) listen();
  return {
    async look() {
      const state = requireHub(files);
      if (state.cluster === undefined || link.up() === undefined) return;
      const got = await ask(link, `$JS.API.DIRECT.GET.${STREAM.name}.${SUBJECT}`, { withinMs: ANSWER_MS });
      const shared = "message" in got ? readShared(got.message.string()) : undefined;
      if (state.cluster.own !== 0) await take(files, shared);
      else if ((shared?.revision ?? -1) < state.cluster.revision) await shareState(link, state);
    },
  };
}

function readShared(text: string): SharedState | undefined {
  const parsed = sharedState.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** A server that lags behind may return an older list, which is ignored. */
async function take(files: HubFiles, shared: SharedState | undefined): Promise<void> {
  const state = requireHub(files);
  const { cluster } = state;
  if (shared === undefined || cluster === undefined || cluster.own === 0) return;
  if (shared.revision <= cluster.revision) return;
  const { revision, armies } = shared;
  writeHub(files, { ...state, armies, cluster: { ...cluster, revision } });
  const server = findServerProcess(files);
  if (server === undefined) return;
  let passed = 0;
  for (const after of RELOAD_AFTER_MS) {
    await pause(after - passed);
    signalServer(server, "SIGHUP");
    passed = after;
  }
}
