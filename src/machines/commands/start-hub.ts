/** `ovld hub start`: makes sure that the hub runs and serves the army. */
import type { Environment } from "../../system/run-program.ts";
import { membershipPath } from "../../config/folders.ts";
import { readSettings } from "../../config/settings.ts";
import { sayJson, sayLine, type CommandContext } from "../../command/command-context.ts";
import { EXIT } from "../../army/errors.ts";
import { changeHub } from "../server/change-hub.ts";
import {
  addArmy,
  armyIn,
  lostAtHome,
  renewAtHome,
  type Change,
  type HubArmy,
  type HubState,
  localAddress,
} from "../server/hub-state.ts";
import { readMembership, writeMembership, HUB_FORMAT, type Membership } from "../membership.ts";
import type { ProvideStep } from "../server/provide-server.ts";
import { foreignError } from "../server/foreign/foreign-hub.ts";
import { nameOfThisMachine, startHub, type StartWishes } from "../server/start-hub.ts";
import { isSessionName } from "../../army/words.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { HubFlags, HubWork } from "./hub.ts";

export async function start({ context, flags, files, session }: HubWork): Promise<number> {
  if (!isSessionName(session)) throw new OvldError({ code: "session-name-wrong", facts: { name: session } });
  const { env, ovld, stop, texts } = context;
  if (readSettings(env).hub.url !== undefined) throw foreignError("own-hub", session);
  const wishes: StartWishes = { listen: flags.listen, tls: tlsWish(flags) };
  const started = await startHub({ env, files, wishes, ovld, stop, onStep: printStep(context) });
  const state = await serveArmy({ context, flags, files, session, words: [] }, started.state);
  updateHomes(env, state);
  const outdated = started.wasPlain ? machinesElsewhere(state) : [];
  if (flags.json) sayJson(context, { listen: state.listen, session, tls: true, inviteAgain: outdated });
  else {
    sayLine(context, texts.machines.started(state.listen, session));
    for (const each of outdated) sayLine(context, texts.machines.inviteAgain(each.session, each.machine));
    sayLine(context, texts.machines.startedNext(session));
  }
  return EXIT.done;
}

/** Makes sure that the hub has the army, and this machine the keys of its roles at home. Returns the hub's new state. */
async function serveArmy({ context, files, session }: HubWork, found: HubState): Promise<HubState> {
  const { env, stop, now } = context;
  const home = found.armies[session]?.home ?? nameOfThisMachine();
  const kept = () => readMembershipAtHome(env, session, home);
  const keep = ({ state, seeds }: Change): void => {
    const before = kept();
    const keys = armyIn(state, session).machines[home]?.keys ?? {};
    const all = Object.entries({ ...before?.seeds, ...seeds });
    writeMembership(env, {
      ...before,
      format: HUB_FORMAT,
      army: session,
      machine: home,
      // The hub may have moved.
      servers: [localAddress(state.listen)],
      ca: state.tls?.ca,
      seeds: Object.fromEntries(all.filter(([user]) => Object.hasOwn(keys, user))),
    });
  };
  const lost = (army: HubArmy) => lostAtHome(army, kept()?.seeds ?? {});
  const army = found.armies[session];
  if (army !== undefined && lost(army).length === 0) {
    keep({ state: found, seeds: {} });
    return found;
  }
  kept();
  const change = (current: HubState): Change => {
    // Another command may have added it in the meantime.
    const added = current.armies[session];
    if (added === undefined) return addArmy(current, session, home, new Date(now()));
    return renewAtHome(current, session, lost(added), new Date(now()));
  };
  return (await changeHub(files, session, stop, change, keep)).state;
}

/** The hub may have moved, or have got a certificate, and it may serve other armies, too. */
function updateHomes(env: Environment, state: HubState): void {
  for (const [session, { home }] of Object.entries(state.armies)) {
    const kept = readMembership(env, session, true);
    if (kept?.machine !== home) continue;
    writeMembership(env, { ...kept, servers: [localAddress(state.listen)], ca: state.tls?.ca });
  }
}

function machinesElsewhere({ armies }: HubState): { session: string; machine: string }[] {
  return Object.entries(armies).flatMap(([session, { home, machines }]) => {
    const others = Object.keys(machines).filter((machine) => machine !== home);
    return others.map((machine) => ({ session, machine }));
  });
}

/** Throws if this machine takes part in an army of that name as another machine: its keys would be lost. */
function readMembershipAtHome(env: Environment, session: string, home: string): Membership | undefined {
  const found = readMembership(env, session, true);
  if (found === undefined || found.machine === home) return found;
  const facts = { session, machine: found.machine, path: membershipPath(env, session) };
  throw new OvldError({ code: "hub-joined-already", facts });
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
export function printStep({ print, texts }: CommandContext): (step: ProvideStep) => void {
  const { machines } = texts;
  return (step) => {
    const sentence =
      step.step === "not-downloaded"
        ? machines.notDownloaded(step.reason)
        : machines[step.step](step.version, step.seconds);
    print("stderr", `${sentence}\n`);
  };
}
