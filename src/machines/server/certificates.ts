/**
 * The hub's certificate: the person's own, or one that ovld makes with openssl, because Node cannot. Only the
 * certificate of the authority that signs it goes to the other machines, and the authority is made once: they trust no
 * other.
 */
import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { type Environment, runProgram } from "../../system/run-program.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { HubFiles } from "./hub-files.ts";
import { parseListen, type HubState } from "./hub-state.ts";

export type HubTls = NonNullable<HubState["tls"]>;

/** Use a certificate of ovld's own making, use this one, or go on as before. */
export type TlsWish = "make" | { certificate: string; key: string; ca: string | undefined } | undefined;

interface CertificateChoice {
  files: HubFiles;
  env: Environment;
  wish: TlsWish;
  before: HubTls | undefined;
  listen: string;
}

/** A hub makes its certificate by itself, and a new one when this machine has got another address. */
export async function chooseCertificate(choice: CertificateChoice): Promise<HubTls> {
  const { files, env, wish, before, listen } = choice;
  if (typeof wish === "object") return readCertificate(wish);
  if (wish === undefined && before !== undefined && !isOurs(files, before)) return before;
  const local = ["localhost", "127.0.0.1", "::1", hostname(), ...ownAddresses()];
  return makeCertificate(files, env, [...new Set([parseListen(listen).host, ...local])]);
}

/** Makes sure that machines can check the hub under these addresses, too, unless the person brought the certificate. */
export async function coverAddresses(
  files: HubFiles,
  env: Environment,
  { tls }: HubState,
  addresses: readonly string[],
): Promise<void> {
  if (tls !== undefined && !isOurs(files, tls)) return;
  await makeCertificate(
    files,
    env,
    addresses.map((address) => parseListen(address).host),
  );
}

/** The addresses under which other machines may know this one. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
}

const DAYS = "3650";

/**
 * The certificate that is there, or a new one if that is not for all of these names, by which machines reach the
 * server.
 */
export async function makeCertificate(files: HubFiles, env: Environment, names: string[]): Promise<HubTls> {
  const at = (name: string): string => join(files.tls, name);
  const made = (): HubTls => {
    return { certificate: at("certificate.pem"), key: at("key.pem"), ca: readFileSync(at("ca.pem"), "utf8") };
  };
  const before = readNames(at("certificate.pem"));
  if (existsSync(at("ca.pem")) && names.every((name) => before?.includes(name))) return made();
  mkdirSync(files.tls, { recursive: true, mode: 0o700 });
  const openssl = async (args: string): Promise<void> => {
    const words = args
      .split(" ")
      .map((word) => (word.includes(".pem") || word === "names" ? at(word) : word));
    const { code, failure, stderr } = await runProgram("openssl", words, { env, deadlineMs: 60_000 });
    if (code !== 0) throw unmade(failure === "missing" ? "openssl was not found" : stderr.trim().slice(-300));
  };
  const all = [...new Set([...(before ?? []), ...names])];
  const alternative = all.map((name) => `${isIP(name) ? "IP" : "DNS"}:${name}`).join(",");
  writeFileSync(at("names"), `subjectAltName=${alternative}\nextendedKeyUsage=serverAuth\n`, { mode: 0o600 });
  const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
  if (!existsSync(at("ca.pem")) || !existsSync(at("ca-key.pem")))
    await openssl(
      `req -x509 ${newKey} -days ${DAYS} -subj /CN=ovld-authority -keyout ca-key.pem -out ca.pem`,
    );
  // A key that has a certificate stays: then the two fit, wherever this is interrupted.
  const key = before === undefined ? `${newKey} -keyout key.pem` : "-new -key key.pem";
  await openssl(`req ${key} -subj /CN=ovld-hub -out request.pem`);
  await openssl(
    `x509 -req -in request.pem -days ${DAYS} -extfile names -CA ca.pem -CAkey ca-key.pem -CAcreateserial -out certificate.pem`,
  );
  return made();
}

function isOurs(files: HubFiles, { certificate }: HubTls): boolean {
  return certificate === join(files.tls, "certificate.pem");
}

/** The names and addresses that a certificate is for; undefined if there is none. */
function readNames(path: string): string[] | undefined {
  try {
    const { subjectAltName = "" } = new X509Certificate(readFileSync(path));
    return subjectAltName.split(", ").map((name) => plainAddress(name.replace(/^(DNS|IP Address):/, "")));
  } catch {
    return undefined;
  }
}

/** OpenSSL writes all eight groups of an IPv6 address. */
function plainAddress(name: string): string {
  return isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name;
}

/** A certificate that the person has; without an authority of its own it is trusted as it is. */
function readCertificate(given: { certificate: string; key: string; ca: string | undefined }): HubTls {
  try {
    readFileSync(given.key);
    const ca = readFileSync(given.ca ?? given.certificate, "utf8");
    return { certificate: given.certificate, key: given.key, ca };
  } catch (error) {
    throw unmade(error instanceof Error ? error.message : String(error));
  }
}

function unmade(reason: string): OvldError {
  return new OvldError({ code: "hub-certificate", facts: { reason } });
}
