/** `ovld hub start`: makes sure that the hub runs and serves the army. */
import { EXIT } from "../../../command/exit-code.ts";
import { sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { changeHub } from "../../../hub/change-hub.ts";
import { localAddress } from "../../../hub/hub-place.ts";
import { addArmy, type HubState } from "../../../hub/hub-state.ts";
import { writeMembership } from "../../../hub/membership-files.ts";
import type { ProvideStep } from "../../../hub/provide-server.ts";
import { nameOfThisMachine, startHub, type StartWishes } from "../../../hub/start-hub.ts";
import { HUB_FORMAT } from "../../../mail/hub/membership.ts";
import { isSessionName } from "../../../army/session-name.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import type { HubFlags, HubWork } from "./run.ts";

export async function start({ context, flags, files, session }: HubWork): Promise<number> {
  if (!isSessionName(session)) throw new OvldError({ code: "session-name-wrong", facts: { name: session } });
  const { env, ovld, stop, now, texts } = context;
  const wishes: StartWishes = { listen: flags.listen, tls: tlsWish(flags) };
  let state: HubState = await startHub({ env, files, wishes, ovld, stop, onStep: tellStep(context) });
  if (state.armies[session] === undefined) {
    const home = nameOfThisMachine();
    const changed = await changeHub(files, session, stop, (current) =>
      addArmy(current, session, home, new Date(now())),
    );
    state = changed.state;
    writeMembership(env, {
      format: HUB_FORMAT,
      army: session,
      machine: home,
      servers: [localAddress(state.listen)],
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
