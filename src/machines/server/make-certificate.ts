/**
 * Makes the hub's certificate and the authority that signs it, with openssl, because Node cannot. Only the authority's
 * certificate goes to the other machines, and the authority is made once: they trust no other.
 */
import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { type Environment, runProgram } from "../../system/run-program.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { HubFiles } from "./hub-files.ts";
import type { HubState } from "./hub-state.ts";

const DAYS = "3650";
const DEADLINE_MS = 60_000;

export type HubTls = NonNullable<HubState["tls"]>;

/**
 * The certificate that is there, or a new one if that is not for all of these names. `names` are the addresses by which
 * machines reach the server; `server` parts one server from another.
 */
export async function makeCertificate(
  files: HubFiles,
  env: Environment,
  { names, server = "" }: { names: string[]; server?: string },
): Promise<HubTls> {
  const authority = files.tls;
  const folder = join(files.tls, server);
  const at = (name: string): string => join(name.startsWith("ca") ? authority : folder, name);
  const made = (): HubTls => {
    return { certificate: at("certificate.pem"), key: at("key.pem"), ca: readFileSync(at("ca.pem"), "utf8") };
  };
  const before = readNames(at("certificate.pem"));
  if (existsSync(at("ca.pem")) && names.every((name) => before?.includes(name))) return made();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const openssl = async (args: string): Promise<void> => {
    const words = args
      .split(" ")
      .map((word) => (word.includes(".pem") || word === "names" ? at(word) : word));
    const { code, failure, stderr } = await runProgram("openssl", words, { env, deadlineMs: DEADLINE_MS });
    if (code !== 0) throw unmade(failure === "missing" ? "openssl was not found" : stderr.trim().slice(-300));
  };
  const all = [...new Set([...(before ?? []), ...names])];
  const alternative = all.map((name) => `${isIP(name) ? "IP" : "DNS"}:${name}`).join(",");
  writeFileSync(at("names"), `subjectAltName=${alternative}\nextendedKeyUsage=serverAuth,clientAuth\n`, {
    mode: 0o600,
  });
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
export function readCertificate(given: { certificate: string; key: string; ca: string | undefined }): HubTls {
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
