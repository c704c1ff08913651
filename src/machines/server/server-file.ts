/** The file with which another machine runs the second or third server of a hub. It is a secret, like a join file. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { asideBeside, replaceFile } from "../../system/durable-files.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/json.ts";
import { readOwnFile } from "../../system/read-file.ts";
import type { HubFiles } from "./hub-files.ts";
import { hubFile, withoutAdminSeeds, type HubState } from "./hub-state.ts";
import type { HubTls } from "./make-certificate.ts";

const MOST_BYTES = 4 * 1024 * 1024;

const serverFile = z.object({
  /** The hub, as that server's machine keeps it, but without the paths of its certificate. */
  server: hubFile,
  /** The texts of its certificate and key, if the first machine has made them. */
  tls: z.optional(z.object({ certificate: z.string(), key: z.string(), ca: z.string() })),
});

/** Where the first machine puts the file for each of the others: their addresses and paths. */
export interface OtherServer {
  address: string;
  path: string;
}

/** `certificates` are those of all servers, in their order; undefined where the person has to bring them. */
export function writeServerFiles(
  files: HubFiles,
  state: HubState,
  certificates: readonly (HubTls | undefined)[],
): OtherServer[] {
  const { cluster } = state;
  if (cluster === undefined || cluster.own !== 0) return [];
  const folder = join(files.folder, "servers");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return cluster.servers.slice(1).map((address, index) => {
    const own = index + 1;
    const { tls: _paths, ...shared } = withoutAdminSeeds(state);
    const server = { ...shared, listen: address, cluster: { ...cluster, own } };
    const made = certificates[own];
    const tls = made && { certificate: readText(made.certificate), key: readText(made.key), ca: made.ca };
    const path = join(folder, `server-${own + 1}.json`);
    replaceFile({
      aside: asideBeside(path),
      target: path,
      content: `${JSON.stringify({ server, tls }, undefined, 2)}\n`,
    });
    return { address, path };
  });
}

/** What the file says, with its certificate put into this machine's own folder. `existing` is a hub of this machine. */
export function takeServerFile(files: HubFiles, path: string, existing: HubState | undefined): HubState {
  const text = readOwnFile(path, MOST_BYTES);
  const parsed = text === undefined ? undefined : serverFile.safeParse(parseJson(text));
  if (!parsed?.success) {
    const problem = text === undefined ? "missing" : "damaged";
    throw new OvldError({ code: "hub-server-file", facts: { path, problem } });
  }
  const { server, tls } = parsed.data;
  if (existing !== undefined && existing.cluster?.secret !== server.cluster?.secret) {
    const servers = existing.cluster?.servers ?? [existing.listen];
    throw new OvldError({ code: "hub-servers", facts: { problem: "exists", servers } });
  }
  if (tls === undefined) return { ...server, tls: existing?.tls };
  mkdirSync(files.tls, { recursive: true, mode: 0o700 });
  const put = (name: string, content: string): string => {
    const target = join(files.tls, name);
    replaceFile({ aside: asideBeside(target), target, content });
    return target;
  };
  const certificate = put("certificate.pem", tls.certificate);
  return { ...server, tls: { certificate, key: put("key.pem", tls.key), ca: tls.ca } };
}

function readText(path: string): string {
  return readFileSync(path, "utf8");
}
