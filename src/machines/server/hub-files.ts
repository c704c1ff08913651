/** The files of a hub, in one folder that only its user can read. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { asideBeside, replaceFile } from "../../system/durable-files.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { readIfThere, readOwnFile } from "../../system/read-file.ts";
import { configuredArmies, parseHubState, type HubState } from "./hub-state.ts";
import { printConfig } from "./print-config.ts";

export interface HubFiles {
  folder: string;
  state: string;
  config: string;
  store: string;
  /** The server's own log, which the server itself keeps small. */
  log: string;
  /** Held by the process that supervises the server, and what that process reports. */
  keeperLock: string;
  keeper: string;
  /** What the supervising process prints. */
  keeperLog: string;
  /** Held while a command changes the hub. */
  changeLock: string;
  tls: string;
}

export function hubFiles(folder: string): HubFiles {
  return {
    folder,
    state: join(folder, "hub.json"),
    config: join(folder, "nats.conf"),
    store: join(folder, "store"),
    log: join(folder, "nats.log"),
    keeperLock: join(folder, "keeping"),
    keeper: join(folder, "keeper.json"),
    keeperLog: join(folder, "keeper.log"),
    changeLock: join(folder, "changing"),
    tls: join(folder, "tls"),
  };
}

const MOST_BYTES = 4 * 1024 * 1024;
/** The streams get at most this much, and never more than half of what is free. */
const MOST_STORED = 4 * 1024 ** 3;
const LEAST_STORED = 16 * 1024 ** 2;

/** Undefined if there is no hub on this machine. */
export function readHub(files: HubFiles): HubState | undefined {
  const text = readOwnFile(files.state, MOST_BYTES);
  if (text === undefined) return undefined;
  const state = parseHubState(text);
  if (typeof state === "object") return state;
  throw new OvldError({ code: "file-unfit", facts: { path: files.state, problem: state } });
}

export function requireHub(files: HubFiles): HubState {
  const state = readHub(files);
  if (state === undefined) throw new OvldError({ code: "hub-none", facts: {} });
  return state;
}

export function writeHub(files: HubFiles, state: HubState): void {
  makeHubFolder(files);
  writeOwnFile(files.state, `${JSON.stringify(state, undefined, 2)}\n`);
  // A running server takes every change but this one.
  const limit = limitIn(readIfThere(files.config, MOST_BYTES)) ?? roomIn(files);
  writeOwnFile(files.config, configText(files, state, limit));
}

export function makeHubFolder(files: HubFiles): void {
  mkdirSync(files.store, { recursive: true, mode: 0o700 });
  chmodSync(files.folder, 0o700);
}

/** Written again before each start of the server, because free space changes. */
export function writeConfig(files: HubFiles, state: HubState): void {
  writeOwnFile(files.config, configText(files, state, roomIn(files)));
}

function limitIn(config: string | undefined): number | undefined {
  const [, limit] = /^jetstream: \{[^}]*max_file: (\d+)/m.exec(config ?? "") ?? [];
  return limit === undefined ? undefined : Number(limit);
}

function writeOwnFile(target: string, content: string): void {
  replaceFile({ aside: asideBeside(target), target, content });
}

function configText(files: HubFiles, state: HubState, maxFile: number): string {
  const { listen, tls, keeper } = state;
  return printConfig({
    listen,
    tls,
    storeDir: files.store,
    logFile: files.log,
    maxFile,
    keeper: keeper.public,
    armies: configuredArmies(state),
  });
}

/** The server's own limit gives a clear error at once; a full disk makes it silent. */
function roomIn(files: HubFiles): number {
  const room = usedBytes(files) + Math.floor(freeBytes(files) / 2);
  return Math.max(LEAST_STORED, Math.min(MOST_STORED, room));
}

function usedBytes({ store }: HubFiles): number {
  const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const sizes = files.map(
    ({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

export function freeBytes({ folder }: HubFiles): number {
  const { bavail, bsize } = statfsSync(existsSync(folder) ? folder : "/");
  return bavail * bsize;
}

/** How long the server's log is: what it says from now on comes after that. */
export function logLength({ log }: HubFiles): number {
  return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last line after `from` in which the server says why it gave up; undefined if it has not. */
export function fatalLine(files: HubFiles, from: number): string | undefined {
  try {
    const log = readFileSync(files.log);
    // A log that is shorter was begun anew.
    const fresh = log.subarray(log.length < from ? 0 : from).toString("utf8");
    const lines = fresh.split("\n").slice(-200);
    return lines.findLast((line) => line.includes("[FTL]"))?.replace(/^.*\[FTL\] /, "");
  } catch {
    return undefined;
  }
}
