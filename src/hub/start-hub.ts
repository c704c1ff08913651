/** Starts the hub of this machine, or makes sure that it runs. */
import { hostname, networkInterfaces } from "node:os";
import type { Environment } from "../config/environment.ts";
import { openLink } from "../mail/hub/link.ts";
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/pause.ts";
import { startInBackground } from "../system/run-program.ts";
import { provideServer, type ProvideOptions } from "./provide-server.ts";
import { fatalLine, makeHubFolder, readHub, writeHub, type HubFiles } from "./hub-files.ts";
import { DEFAULT_LISTEN, localAddress, parseListen, printPlace } from "./hub-place.ts";
import { newHub, type HubState } from "./hub-state.ts";
import { readKeeping } from "./keeper-report.ts";
import { makeCertificate, readCertificate, type HubTls } from "./make-certificate.ts";
import { endProcess, findServerProcess } from "./server-process.ts";

const UP_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;

export interface StartWishes {
  listen: string | undefined;
  /** Make a certificate, or use this one. */
  tls: "make" | { certificate: string; key: string; ca: string | undefined } | undefined;
}

export interface StartOptions extends ProvideOptions {
  env: Environment;
  files: HubFiles;
  wishes: StartWishes;
  /** How this program runs `ovld hub keep`. */
  ovld: { node: string; file: string };
}

/** The hub's state, once its server answers. */
export async function startHub(options: StartOptions): Promise<HubState> {
  const { env, files, wishes, ovld } = options;
  const before = readHub(files);
  const place = parseListen(wishes.listen ?? before?.listen ?? DEFAULT_LISTEN);
  await provideServer(env, options);
  makeHubFolder(files);
  const tls = await chooseTls(options, before);
  const listen = printPlace(place);
  if (!place.isLoopback && tls === undefined) {
    throw new OvldError({ code: "hub-needs-tls", facts: { listen } });
  }
  const state: HubState = before === undefined ? newHub(listen, tls) : { ...before, listen, tls };
  writeHub(files, state);
  const isMoved = before !== undefined && (before.listen !== listen || before.tls !== tls);
  const running = findServerProcess(files);
  // The process that supervises it starts it again, with the new configuration.
  if (isMoved && running !== undefined) await endProcess(running);
  await requireUp(files, state, () => {
    const args = [ovld.file, "hub", "keep"];
    startInBackground(ovld.node, args, { env, output: files.keeperLog });
  });
  return state;
}

async function chooseTls({ env, files, wishes }: StartOptions, before: HubState | undefined) {
  if (wishes.tls === undefined) return before?.tls;
  if (wishes.tls !== "make") return readCertificate(wishes.tls);
  const { host } = parseListen(wishes.listen ?? before?.listen ?? DEFAULT_LISTEN);
  const names = new Set([host, hostname(), "localhost", "127.0.0.1", ...ownAddresses()]);
  const made: HubTls = await makeCertificate(files, env, [...names]);
  return made;
}

/** The addresses under which other machines may know this one. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
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
  { listen, tls, keeper }: HubState,
  keep: () => void,
): Promise<void> {
  if (readKeeping(files) === undefined) keep();
  const servers = [localAddress(listen)];
  const link = openLink({ servers, ca: tls?.ca, seed: keeper.seed, name: "ovld hub start" });
  try {
    const until = performance.now() + UP_WITHIN_MS;
    while (link.up() === undefined || readKeeping(files) === undefined) {
      const reason = fatalLine(files);
      if (reason !== undefined && performance.now() > until - UP_WITHIN_MS + 3_000) {
        throw new OvldError({ code: "hub-not-started", facts: { reason, log: files.log } });
      }
      if (performance.now() > until) {
        const why = link.down()?.why ?? "it does not answer";
        throw new OvldError({ code: "hub-not-started", facts: { reason: why, log: files.keeperLog } });
      }
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    await link.close();
  }
}
