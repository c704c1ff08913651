/** Which certificate each server of the hub has, as far as this machine takes or makes it. */
import { existsSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../system/run-program.ts";
import type { HubFiles } from "./hub-files.ts";
import { parseListen } from "./hub-place.ts";
import type { HubState } from "./hub-state.ts";
import { makeCertificate, readCertificate, type HubTls } from "./make-certificate.ts";

/** Use certificates of ovld's own making, use this one, or go on as before. */
export type TlsWish = "make" | { certificate: string; key: string; ca: string | undefined } | undefined;

export interface CertificateChoice {
  files: HubFiles;
  env: Environment;
  wish: TlsWish;
  /** What this machine's server has now. */
  before: HubTls | undefined;
  /** The addresses of all servers, and which of them is this one. */
  servers: readonly string[];
  own: number;
}

/**
 * In the order of the servers; undefined for one whose machine brings its own. A hub makes its certificates by itself,
 * and a new one when this machine has got another address.
 */
export async function chooseCertificates(choice: CertificateChoice): Promise<(HubTls | undefined)[]> {
  const { files, wish: asked, before, servers, own } = choice;
  const isFirst = own === 0;
  const wish = asked ?? (isFirst && isOurs(files, before) ? "make" : undefined);
  const certificates: (HubTls | undefined)[] = [];
  for (const [index, server] of servers.entries()) {
    if (index !== own) {
      const makes = isFirst && wish === "make";
      certificates.push(makes ? await make(choice, server, index) : madeBefore(choice, index));
    } else if (wish === undefined) certificates.push(before);
    else certificates.push(wish === "make" ? await make(choice, server, index) : readCertificate(wish));
  }
  return certificates;
}

/** Makes sure that machines can check the hub under these addresses, too, unless the person brought the certificate. */
export async function coverAddresses(
  files: HubFiles,
  env: Environment,
  { tls, cluster }: HubState,
  addresses: readonly string[],
): Promise<void> {
  if (!isOurs(files, tls) || cluster !== undefined) return;
  await makeCertificate(files, env, { names: addresses.map((address) => parseListen(address).host) });
}

function isOurs(files: HubFiles, tls: HubTls | undefined): boolean {
  return tls === undefined || tls.certificate === join(files.tls, "certificate.pem");
}

function make({ files, env, own }: CertificateChoice, address: string, index: number): Promise<HubTls> {
  const here = index === own ? [hostname(), ...ownAddresses()] : [];
  const names = new Set([parseListen(address).host, "localhost", "127.0.0.1", "::1", ...here]);
  return makeCertificate(files, env, { names: [...names], server: folderOf(index) });
}

function madeBefore({ files, before }: CertificateChoice, index: number): HubTls | undefined {
  const folder = join(files.tls, folderOf(index));
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  return before !== undefined && existsSync(key) ? { certificate, key, ca: before.ca } : undefined;
}

function folderOf(index: number): string {
  return index === 0 ? "" : `server-${index + 1}`;
}

/** The addresses under which other machines may know this one. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
}
