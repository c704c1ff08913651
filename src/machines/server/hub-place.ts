/** Where a hub listens. Pure. */
import { isIP } from "node:net";
import { isLoopback } from "../carrier/greeting.ts";
import { OvldError } from "../../system/ovld-error.ts";

export const DEFAULT_LISTEN = "127.0.0.1:4222";

export interface Place {
  host: string;
  port: number;
  /** Nobody on another machine can connect. */
  isLoopback: boolean;
}

/** `ADDRESS`, `ADDRESS:PORT` or `[ADDRESS]:PORT`. */
export function parseListen(listen: string): Place {
  const parts = /^(?:\[(?<six>[0-9a-fA-F:]+)\]|(?<host>[A-Za-z0-9.-]+))(?::(?<port>\d{1,5}))?$/.exec(
    listen,
  )?.groups;
  const host = parts?.["six"] ?? parts?.["host"];
  const port = Number(parts?.["port"] ?? "4222");
  if (host === undefined || port < 1 || port > 65_535 || (parts?.["six"] !== undefined && isIP(host) !== 6)) {
    throw new OvldError({ code: "hub-address", facts: { listen } });
  }
  return {
    host,
    port,
    isLoopback: isLoopback(host),
  };
}

export function printPlace({ host, port }: Pick<Place, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const EVERYWHERE = new Set(["0.0.0.0", "::"]);

/** How this machine itself reaches the hub. */
export function localAddress(listen: string): string {
  const place = parseListen(listen);
  return printPlace(EVERYWHERE.has(place.host) ? { ...place, host: "127.0.0.1" } : place);
}

/** How other machines reach it; `interfaces` are this machine's own addresses. */
export function outsideAddresses(listen: string, interfaces: readonly string[]): string[] {
  const place = parseListen(listen);
  if (!EVERYWHERE.has(place.host)) return [printPlace(place)];
  return interfaces.map((host) => printPlace({ ...place, host }));
}
