/** The files of a hub, in one folder that only its user can read. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../system/durable-files.ts";
import { jsonLine } from "../../system/json.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { readIfThere, readOwnFile, readPart } from "../../system/read-file.ts";
import { keysOf, parseHubState, type HubState } from "./hub-state.ts";
import { formatServerConfig } from "./server-config.ts";

export type HubFiles = ReturnType<typeof hubFiles>;

export function hubFiles(folder: string) {
  return {
    folder,
    state: join(folder, "hub.json"),
    config: join(folder, "nats.conf"),
    store: join(folder, "store"),
    /** The server's own log, which the server itself keeps small. */
    log: join(folder, "nats.log"),
    /** Held by the process that supervises the server, and what that process reports and prints. */
    keeperLock: join(folder, "keeping"),
    keeper: join(folder, "keeper.json"),
    keeperLog: join(folder, "keeper.log"),
    /** Held while a command changes the hub. */
    changeLock: join(folder, "changing"),
    tls: join(folder, "tls"),
    /** Which machine has which roles of the armies on a server that somebody else runs. */
    foreign: join(folder, "foreign.json"),
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
  replaceFile({ target: files.state, content: jsonLine(state, 2) });
  // A running server takes every change but that of its limit.
  const [, limit] = /max_file"?: ?(\d+)/.exec(readIfThere(files.config, MOST_BYTES) ?? "") ?? [];
  writeConfig(files, state, limit === undefined ? undefined : Number(limit));
}

export function makeHubFolder(files: HubFiles): void {
  mkdirSync(files.store, { recursive: true, mode: 0o700 });
  chmodSync(files.folder, 0o700);
}

/** Written again before each start of the server, because free space changes. */
export function writeConfig(files: HubFiles, state: HubState, maxFile = roomIn(files)): void {
  const { listen, tls, keeper } = state;
  const armies = Object.entries(state.armies).map(([session, army]) => [session, keysOf(army)] as const);
  const content = formatServerConfig({
    listen,
    tls,
    storeDir: files.store,
    logFile: files.log,
    maxFile,
    keeper: keeper.public,
    armies: Object.fromEntries(armies),
  });
  replaceFile({ target: files.config, content });
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

const MOST_READ = 1024 * 1024;

/** What the server has logged after `from`, and where that ends. A log that is shorter was begun anew. */
export function readLog({ log }: HubFiles, from: number): { text: string; end: number } {
  const end = readPart(log, 0, 0)?.size ?? 0;
  const start = Math.max(end < from ? 0 : from, end - MOST_READ);
  return { text: readPart(log, start, end - start)?.bytes.toString() ?? "", end };
}
