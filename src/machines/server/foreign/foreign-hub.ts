/** A NATS server that somebody else runs, as the configuration names it. */
import type { HubSettings } from "../../../config/settings.ts";
import type { ForeignProblem } from "../../../army/hub-errors.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { readOwnFile } from "../../../system/read-file.ts";
import { parseListen, printPlace, type Place } from "../hub-place.ts";

export interface ForeignHub {
  /** With `tls://` in front if the connection has to be encrypted. */
  servers: string[];
  /** The text of the authority's certificate. */
  ca: string | undefined;
  /** A folder with a folder for each army, in which each user of that army has a file. */
  creds: string;
  /** On how many of its servers each message is kept. */
  replicas: number;
}

/** Undefined if the configuration names no such server; throws if what it says cannot be used. */
export function foreignHub(hub: HubSettings): ForeignHub | undefined {
  const { url, creds, ca: caFile, replicas } = hub;
  if (url === undefined) {
    if (creds !== undefined || caFile !== undefined || replicas !== 1) throw foreignError("needs-url");
    return undefined;
  }
  if (creds === undefined) throw foreignError("needs-creds");
  const ca = caFile === undefined ? undefined : readOwnFile(caFile);
  if (caFile !== undefined && ca === undefined) throw foreignError("ca", caFile);
  if (url.length === 0) throw foreignError("address", "[]");
  return { servers: url.map((each) => parseUrl(each, ca !== undefined)), ca, creds, replicas };
}

/** `tls://HOST:PORT`; on this machine also without encryption. */
export function parseUrl(url: string, hasCa: boolean): string {
  const [, scheme, address] = /^(?:(tls|nats):\/\/)?(.+)$/.exec(url.trim()) ?? [];
  const place = address === undefined ? undefined : tryPlace(address);
  if (place === undefined) throw foreignError("address", url);
  const printed = printPlace(place);
  if (scheme === "tls" || hasCa) return `tls://${printed}`;
  if (!place.isLoopback) throw foreignError("plain", printed);
  return printed;
}

function tryPlace(address: string): Place | undefined {
  try {
    return parseListen(address);
  } catch (error) {
    if (error instanceof OvldError) return undefined;
    throw error;
  }
}

export function foreignError(problem: ForeignProblem, what = ""): OvldError {
  return new OvldError({ code: "hub-foreign", facts: { problem, what } });
}
