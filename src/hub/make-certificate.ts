/**
 * Makes the hub's certificate and the authority that signs it, with openssl, because Node cannot. Only the authority's
 * certificate goes to the other machines, and the authority is made once: they trust no other.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Environment } from "../config/environment.ts";
import { OvldError } from "../system/ovld-error.ts";
import { runProgram } from "../system/run-program.ts";
import type { HubFiles } from "./hub-files.ts";
import type { HubState } from "./hub-state.ts";

const DAYS = "3650";
const DEADLINE_MS = 60_000;

export type HubTls = NonNullable<HubState["tls"]>;

/** `names` are the addresses by which other machines reach the server; `server` parts one server from another. */
export async function makeCertificate(
  files: HubFiles,
  env: Environment,
  { names, server = "" }: { names: string[]; server?: string },
): Promise<HubTls> {
  const authority = files.tls;
  const folder = join(files.tls, server);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name: string): string => join(name.startsWith("ca") ? authority : folder, name);
  const openssl = async (args: string): Promise<void> => {
    const words = args
      .split(" ")
      .map((word) => (word.includes(".pem") || word === "names" ? at(word) : word));
    const { code, failure, stderr } = await runProgram("openssl", words, { env, deadlineMs: DEADLINE_MS });
    if (code !== 0) throw unmade(failure === "missing" ? "openssl was not found" : stderr.trim().slice(-300));
  };
  const alternative = names.map((name) => `${isIP(name) ? "IP" : "DNS"}:${name}`).join(",");
  writeFileSync(at("names"), `subjectAltName=${alternative}\nextendedKeyUsage=serverAuth,clientAuth\n`, {
    mode: 0o600,
  });
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
  if (!existsSync(at("ca.pem")) || !existsSync(at("ca-key.pem")))
    await openssl(`req -x509 ${key} -days ${DAYS} -subj /CN=ovld-authority -keyout ca-key.pem -out ca.pem`);
  await openssl(`req ${key} -subj /CN=ovld-hub -keyout key.pem -out request.pem`);
  await openssl(
    `x509 -req -in request.pem -days ${DAYS} -extfile names -CA ca.pem -CAkey ca-key.pem -CAcreateserial -out certificate.pem`,
  );
  return { certificate: at("certificate.pem"), key: at("key.pem"), ca: readFileSync(at("ca.pem"), "utf8") };
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
