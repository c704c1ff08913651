/** Starts the hub of this machine, or makes sure that it runs. */
import { hostname } from "node:os";
import { type Environment, startInBackground } from "../../system/run-program.ts";
import { openLink } from "../carrier/link.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { pause } from "../../system/async.ts";
import { provideServer, type ProvideOptions } from "./provide-server.ts";
import { fatalLine, logLength, makeHubFolder, readHub, writeHub, type HubFiles } from "./hub-files.ts";
import { DEFAULT_LISTEN, localAddress, parseListen, printPlace, newHub, type HubState } from "./hub-state.ts";
import { chooseCertificate, type TlsWish } from "./certificates.ts";
import { readKeeping, findServerProcess, signalServer, stopHub } from "./server-process.ts";
import { SERVER_NAME } from "./print-config.ts";

const UP_WITHIN_MS = 30_000;

export interface StartWishes {
  listen: string | undefined;
  tls: TlsWish;
}

export interface StartOptions extends ProvideOptions {
  env: Environment;
  files: HubFiles;
  wishes: StartWishes;
  /** How this program runs `ovld hub keep`. */
  ovld: { node: string; file: string };
}

export interface StartedHub {
  state: HubState;
  /** It had no certificate before, so other machines' join files cannot be used any more. */
  wasPlain: boolean;
}

/** The hub's state, once its server answers. */
export async function startHub(options: StartOptions): Promise<StartedHub> {
  const { env, files, ovld, stop } = options;
  await provideServer(env, options);
  makeHubFolder(files);
  // Two commands at the same time must not make two hubs.
  return withLock(files.changeLock, stop, async () => {
    const existing = readHub(files);
    const state = await chooseState(options, existing);
    writeHub(files, state);
    const wasKept = readKeeping(files) !== undefined;
    const isMoved = existing !== undefined && placeOf(existing) !== placeOf(state);
    const running = findServerProcess(files);
    // The process that supervises it still knows the old address and certificate.
    if (isMoved) await stopHub(files, stop);
    else if (running !== undefined) signalServer(running, "SIGHUP");
    await requireUp(files, state, stop, () => {
      const args = [ovld.file, "hub", "keep"];
      startInBackground(ovld.node, args, { env, output: files.keeperLog });
    }).catch(async (error: unknown) => {
      // What did not start is not tried again and again behind the person's back.
      if (!wasKept) await stopHub(files);
      throw error;
    });
    const wasPlain = existing !== undefined && existing.tls === undefined;
    return { state, wasPlain };
  });
}

function placeOf({ listen, tls }: HubState): string {
  return JSON.stringify([listen, tls]);
}

async function chooseState(
  { env, files, wishes }: StartOptions,
  existing: HubState | undefined,
): Promise<HubState> {
  const listen = printPlace(parseListen(wishes.listen ?? existing?.listen ?? DEFAULT_LISTEN));
  const tls = await chooseCertificate({ files, env, wish: wishes.tls, before: existing?.tls, listen });
  return existing === undefined ? newHub(listen, tls) : { ...existing, listen, tls };
}

/** Letters, digits and dashes only, as in a session's name. */
export function nameOfThisMachine(): string {
  return (
    hostname()
      .replaceAll(/[^A-Za-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "") || "hub"
  );
}

async function requireUp(
  files: HubFiles,
  state: HubState,
  stop: AbortSignal,
  keep: () => void,
): Promise<void> {
  const { listen, tls, keeper } = state;
  const logged = logLength(files);
  if (readKeeping(files) === undefined) keep();
  const servers = [localAddress(listen)];
  const link = openLink({ servers, ca: tls?.ca, seed: keeper.seed, name: "ovld hub start" });
  try {
    const until = performance.now() + UP_WITHIN_MS;
    // Another NATS on that port may accept every key.
    const isUp = (): boolean => link.up()?.info?.server_name === SERVER_NAME;
    while (!isUp() || readKeeping(files) === undefined) {
      const reason = fatalLine(files, logged);
      if (reason !== undefined && performance.now() > until - UP_WITHIN_MS + 3_000) {
        if (reason.includes("address already in use")) {
          throw new OvldError({ code: "hub-port-taken", facts: { listen } });
        }
        throw new OvldError({ code: "hub-not-started", facts: { reason, log: files.log } });
      }
      if (performance.now() > until) {
        const why = link.down()?.why ?? "it does not answer";
        throw new OvldError({ code: "hub-not-started", facts: { reason: why, log: files.keeperLog } });
      }
      await pause(100, stop);
      stop.throwIfAborted();
    }
  } finally {
    await link.close();
  }
}
