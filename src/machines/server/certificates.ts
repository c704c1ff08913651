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
import { tryTo } from "../../system/file-error.ts";

export type HubTls = HubState["tls"];

/** The addresses under which other machines may know this one. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
}

/** Under what a hub that listens there is known, here and elsewhere. */
export function namesOfHub(listen: string): string[] {
  const local = ["localhost", "127.0.0.1", "::1", hostname(), ...ownAddresses()];
  return [...new Set([parseListen(listen).host, ...local])];
}

const DAYS = "3650";

/**
 * The certificate that is there, or a new one if that is not for all of these names, by which machines reach the
 * server. One that the person brought stays as it is.
 */
export async function makeCertificate(
  files: HubFiles,
  env: Environment,
  names: string[],
  before?: HubTls,
): Promise<HubTls> {
  const at = (name: string): string => join(files.tls, name);
  const [certificate, key, authority] = [at("certificate.pem"), at("key.pem"), at("ca.pem")];
  if (before !== undefined && before.certificate !== certificate) return before;
  const known = readNames(certificate);
  if (!existsSync(authority) || !names.every((name) => known?.includes(name))) {
    mkdirSync(files.tls, { recursive: true, mode: 0o700 });
    const all = [...new Set([...(known ?? []), ...names])];
    const alternative = all.map((name) => `${isIP(name) ? "IP" : "DNS"}:${name}`).join(",");
    const extensions = `subjectAltName=${alternative}\nextendedKeyUsage=serverAuth\n`;
    writeFileSync(at("names"), extensions, { mode: 0o600 });
    const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    if (!existsSync(authority) || !existsSync(at("ca-key.pem")))
      await openssl(
        `req -x509 ${newKey} -days ${DAYS} -subj /CN=ovld-authority -keyout ca-key.pem -out ca.pem`,
      );
    // A key that has a certificate stays: then the two fit, wherever this is interrupted.
    const ours = known === undefined ? `${newKey} -keyout key.pem` : "-new -key key.pem";
    await openssl(`req ${ours} -subj /CN=ovld-hub -out request.pem`);
    await openssl(
      `x509 -req -in request.pem -days ${DAYS} -extfile names -CA ca.pem -CAkey ca-key.pem -CAcreateserial -out certificate.pem`,
    );
  }
  return { certificate, key, ca: readFileSync(authority, "utf8") };

  async function openssl(args: string): Promise<void> {
    const words = args
      .split(" ")
      .map((word) => (word.includes(".pem") || word === "names" ? at(word) : word));
    const { code, failure, stderr } = await runProgram("openssl", words, { env, deadlineMs: 60_000 });
    if (code !== 0) throw unmade(failure === "missing" ? "openssl was not found" : stderr.trim().slice(-300));
  }
}

/** The names and addresses that a certificate is for; undefined if there is none. */
function readNames(path: string): string[] | undefined {
  const { subjectAltName } = tryTo(() => new X509Certificate(readFileSync(path))) ?? {};
  return subjectAltName?.split(", ").map((name) => plainAddress(name.replace(/^(DNS|IP Address):/, "")));
}

/** OpenSSL writes all eight groups of an IPv6 address. */
function plainAddress(name: string): string {
  return isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name;
}

/** A certificate that the person has; without an authority of its own it is trusted as it is. */
export function readCertificate(certificate: string, key: string, ca = certificate): HubTls {
  try {
    readFileSync(key);
    return { certificate, key, ca: readFileSync(ca, "utf8") };
  } catch (error) {
    throw unmade(error instanceof Error ? error.message : String(error));
  }
}

export function unmade(reason: string): OvldError {
  return new OvldError({ code: "hub-certificate", facts: { reason } });
}
