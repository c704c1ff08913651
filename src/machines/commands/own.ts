/** A hub of this machine: makes sure that it runs and serves the army, and gives roles to other machines. */
import { hostname } from "node:os";
import type { Role } from "../../army/roles.ts";
import { sayAnswer, type CommandContext } from "../../command/command-context.ts";
import { pause } from "../../system/async.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { startInBackground } from "../../system/run-program.ts";
import { DAY_MS, parseSpan } from "../../system/text.ts";
import { HUB_FORMAT, readMembership, type Membership } from "../membership.ts";
import {
  makeCertificate,
  namesOfHub,
  ownAddresses,
  readCertificate,
  unmade,
  type HubTls,
} from "../server/certificates.ts";
import { changeArmy, readHome, writeHome } from "../server/change-hub.ts";
import { foreignError } from "../server/foreign-hub.ts";
import { makeHubFolder, readHub, readLog, writeHub, type HubFiles } from "../server/hub-files.ts";
import {
  addArmy,
  armyIn,
  DEFAULT_LISTEN,
  giveNewKeys,
  lostAtHome,
  nameMachine,
  newHub,
  outsideAddresses,
  parseListen,
  formatAddress,
  requireName,
  type HubArmy,
  type HubState,
} from "../server/hub-state.ts";
import { provideServer, type BuildOptions } from "../server/nats-server.ts";
import { SERVER_NAME } from "../server/server-config.ts";
import { findServerProcess, linkToHub, readKeeping, signalServer, stopHub } from "../server/keep-server.ts";
import type { HubWork } from "./hub.ts";

const UP_WITHIN_MS = 30_000;

export async function start(work: HubWork): Promise<number> {
  const { context, settings, session } = work;
  const { env, stop, texts } = context;
  requireName(session);
  if (settings.url !== undefined) throw foreignError("own-hub", session);
  const given = givenCertificate(work);
  await provideServer(env, { onStep: printStep(context), stop });
  const { listen } = await serveArmy(work, await startHub(work, given));
  const { started, startedNext } = texts.machines;
  return sayAnswer(context, { listen, session }, [started(listen, session), startedNext(session)]);
}

/** Undefined if ovld is to make one. */
function givenCertificate({ flags: { tlsCert, tlsKey, tlsCa } }: HubWork): HubTls | undefined {
  if (tlsCert !== undefined && tlsKey !== undefined) return readCertificate(tlsCert, tlsKey, tlsCa);
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  throw unmade("--tls-cert and --tls-key belong together");
}

/** The hub's state, once its server answers. */
async function startHub({ context, flags, files }: HubWork, given: HubTls | undefined): Promise<HubState> {
  const { env, ovld, stop } = context;
  makeHubFolder(files);
  // Two commands at the same time must not make two hubs.
  return withLock(files.changeLock, stop, async () => {
    const existing = readHub(files);
    const listen = formatAddress(parseListen(flags.listen ?? existing?.listen ?? DEFAULT_LISTEN));
    const before = flags.tls ? undefined : existing?.tls;
    // Also a new one when this machine has got another address.
    const tls = given ?? (await makeCertificate(files, env, namesOfHub(listen), before));
    const state = existing === undefined ? newHub(listen, tls) : { ...existing, listen, tls };
    writeHub(files, state);
    const wasKept = readKeeping(files) !== undefined;
    const running = findServerProcess(files);
    // The process that supervises it still knows the old address and certificate.
    if (existing !== undefined && placeOf(existing) !== placeOf(state)) await stopHub(files, stop);
    else if (running !== undefined) signalServer(running, "SIGHUP");
    const logged = readLog(files, 0).end;
    if (readKeeping(files) === undefined)
      startInBackground(ovld.node, [ovld.file, "hub", "keep"], { env, output: files.keeperLog });
    await requireUp(files, state, logged, stop).catch(async (error: unknown) => {
      // What did not start is not tried again and again behind the person's back.
      if (!wasKept) await stopHub(files);
      throw error;
    });
    return state;
  });
}

function placeOf({ listen, tls }: HubState): string {
  return JSON.stringify([listen, tls]);
}

/** `logged`: what the server's log says before that is about earlier starts. */
async function requireUp(files: HubFiles, state: HubState, logged: number, stop: AbortSignal): Promise<void> {
  const began = performance.now();
  await using link = linkToHub(state, state.keeper.seed, "ovld hub start");
  // Another NATS on that port may accept every key.
  const isUp = (): boolean => link.up()?.info?.server_name === SERVER_NAME;
  while (!isUp() || readKeeping(files) === undefined) {
    const waited = performance.now() - began;
    const lines = readLog(files, logged).text.split("\n");
    const fatal = lines.findLast((line) => line.includes("[FTL]"))?.replace(/^.*\[FTL\] /, "");
    if (fatal !== undefined && waited > 3_000) {
      if (!fatal.includes("address already in use")) throw notStarted(fatal, files.log);
      throw new OvldError({ code: "hub-port-taken", facts: { listen: state.listen } });
    }
    if (waited > UP_WITHIN_MS) throw notStarted(link.down()?.why ?? "it does not answer", files.keeperLog);
    await pause(100, stop);
    stop.throwIfAborted();
  }
}

function notStarted(reason: string, log: string): OvldError {
  return new OvldError({ code: "hub-not-started", facts: { reason, log } });
}

/** Makes sure that the hub has the army, and this machine the keys of its roles at home. Returns the hub's new state. */
async function serveArmy({ context, files, session }: HubWork, found: HubState): Promise<HubState> {
  const { env, stop } = context;
  const now = new Date(context.now());
  const army = found.armies[session];
  const home = army?.home ?? nameOfThisMachine();
  const lost = (known: HubArmy) => lostAtHome(known, readHome(env, session, home)?.seeds ?? {});
  readHome(env, session, home);
  let state = found;
  if (army === undefined || lost(army).length > 0) {
    // Another command may have added it in the meantime.
    const changed = await changeArmy({ files, env, session, stop }, (known) =>
      known === undefined ? addArmy(home, now) : giveNewKeys(known, lost(known), { machine: home, now }),
    );
    state = changed.state;
  }
  // The hub may have moved, or have got a certificate, and it may serve other armies, too.
  for (const [name, each] of Object.entries(state.armies)) {
    if (name === session || readMembership(env, name)?.machine === each.home) writeHome(env, state, name);
  }
  return state;
}

/** Letters, digits and dashes only, as in a session's name. */
export function nameOfThisMachine(): string {
  const name = hostname().replaceAll(/[^A-Za-z0-9]+/g, "-");
  return name.replaceAll(/^-+|-+$/g, "") || "hub";
}

/** On stderr, so that the answer stays clean. */
export function printStep({ print, texts }: CommandContext): BuildOptions["onStep"] {
  return ({ version, seconds }) => void print("stderr", `${texts.machines.building(version, seconds)}\n`);
}

/** What the other machine needs to join. */
export async function giveRoles(
  { context, flags, files, session }: HubWork,
  roles: Role[],
): Promise<Membership> {
  const { env, stop } = context;
  const now = new Date(context.now());
  const expires = new Date(now.getTime() + parseValidity(flags.valid ?? USUAL_VALIDITY));
  let machine = "";
  const { state, seeds } = await changeArmy({ files, env, session, stop }, async (_army, before) => {
    const army = armyIn(before, session);
    machine = nameMachine(army, session, flags.machine);
    const hosts = addresses(before).map((address) => parseListen(address).host);
    await makeCertificate(files, env, hosts, before.tls);
    return giveNewKeys(army, [...roles, "human"], { machine, now, expires });
  });
  return {
    format: HUB_FORMAT,
    army: session,
    machine,
    servers: addresses(state),
    ca: state.tls.ca,
    seeds,
    expires: expires.toISOString(),
  };

  /** How that machine reaches the hub. */
  function addresses({ listen }: HubState): string[] {
    if (flags.address === undefined) return outsideAddresses(listen, ownAddresses());
    return flags.address.split(",").map((each) => formatAddress(parseListen(each)));
  }
}

/** How long a join file may be used for joining. */
const USUAL_VALIDITY = "24h";

function parseValidity(text: string): number {
  const time = parseSpan(text) ?? 0;
  // A file that nobody has used for longer is more likely lost than needed.
  if (time === 0 || time > 365 * DAY_MS) throw new OvldError({ code: "hub-validity", facts: { text } });
  return time;
}
