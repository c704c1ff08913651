/** `ovld hub start`: makes sure that the hub runs and serves the army. */
import { resolve } from "node:path";
import { readSettings } from "../../../config/settings.ts";
import { EXIT } from "../../../command/exit-code.ts";
import { sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { changeHub } from "../../../hub/change-hub.ts";
import { serversFromHere } from "../../../hub/cluster.ts";
import { addArmy } from "../../../hub/hub-state.ts";
import { writeMembership } from "../../../summon/membership-files.ts";
import { allAnswer, canStore } from "../../../hub/reach-servers.ts";
import type { ProvideStep } from "../../../hub/provide-server.ts";
import { nameOfThisMachine, startHub, type StartedHub, type StartWishes } from "../../../hub/start-hub.ts";
import { HUB_FORMAT } from "../../../mail/hub/membership.ts";
import { isSessionName } from "../../../army/session-name.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import type { HubFlags, HubWork } from "./run.ts";

export async function start({ context, flags, files, session }: HubWork): Promise<number> {
  if (!isSessionName(session)) throw new OvldError({ code: "session-name-wrong", facts: { name: session } });
  const { env, ovld, stop, now, texts, cwd } = context;
  const { servers, replicas } = readSettings(env).hub;
  const wishes: StartWishes = {
    listen: flags.listen,
    tls: tlsWish(flags),
    servers: servers ?? (replicas === 1 ? undefined : []),
    serverFile: flags.server === undefined ? undefined : resolve(cwd, flags.server),
  };
  const started = await startHub({ env, files, wishes, ovld, stop, onStep: tellStep(context) });
  let { state } = started;
  const isFirst = (state.cluster?.own ?? 0) === 0;
  const isNew = state.armies[session] === undefined;
  const isReady = isNew ? await allAnswer(state) : await canStore(state);
  if (!isFirst || !isReady) return tellServer(context, flags, session, started);
  if (isNew) {
    const home = nameOfThisMachine();
    const changed = await changeHub(files, session, stop, (current) =>
      addArmy(current, session, home, new Date(now())),
    );
    state = changed.state;
    writeMembership(env, {
      format: HUB_FORMAT,
      army: session,
      machine: home,
      servers: serversFromHere(state),
      ca: state.tls?.ca,
      seeds: changed.seeds,
    });
  }
  if (flags.json) sayJson(context, { listen: state.listen, session, tls: state.tls !== undefined });
  else {
    sayLine(context, texts.hub.started(state.listen, session));
    sayLine(context, texts.hub.startedNext(session));
  }
  return EXIT.done;
}

/** One of three servers runs; the hub needs another one before it can serve an army. */
function tellServer(
  context: CommandContext,
  { json }: HubFlags,
  session: string,
  { state, others }: StartedHub,
): number {
  const { hub } = context.texts;
  const { listen, tls, cluster } = state;
  if (json) sayJson(context, { listen, tls: tls !== undefined, servers: cluster?.servers, others });
  else {
    sayLine(context, hub.startedServer(listen));
    for (const { address, path } of others) sayLine(context, hub.otherServer(address, path));
    if (others.length > 0) sayLine(context, hub.startAgain(session));
  }
  return EXIT.done;
}

function tlsWish({ tls, tlsCert, tlsKey, tlsCa }: HubFlags): StartWishes["tls"] {
  if (tlsCert !== undefined && tlsKey !== undefined) return { certificate: tlsCert, key: tlsKey, ca: tlsCa };
  if (tlsCert !== undefined || tlsKey !== undefined) {
    throw new OvldError({
      code: "hub-certificate",
      facts: { reason: "--tls-cert and --tls-key belong together" },
    });
  }
  return tls ? "make" : undefined;
}

/** On stderr, so that the answer stays clean. */
export function tellStep({ print, texts }: CommandContext): (step: ProvideStep) => void {
  const { hub } = texts;
  return (step) => {
    const sentence =
      step.step === "not-downloaded"
        ? hub.notDownloaded(step.reason)
        : hub[step.step](step.version, step.seconds);
    print("stderr", `${sentence}\n`);
  };
}
