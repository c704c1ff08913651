/** A hub of three servers: which they are, and what each has to know of the others. Pure, apart from a random secret. */
import { randomBytes } from "node:crypto";
import { OvldError } from "../../system/ovld-error.ts";
import { localAddress, parseListen, printPlace } from "./hub-place.ts";
import type { Cluster, HubState } from "./hub-state.ts";
import { ONLY_SERVER, type ConfiguredCluster } from "./print-config.ts";

/** With three servers one may be lost; another number would cost more or protect less. */
export const SERVERS_OF_A_CLUSTER = 3;
/** The servers talk to each other on a port of their own, next to the one for machines. */
const ROUTE_PORT = 2_000;
const MOST_PORT = 65_535;

/** `addresses` are those under which the machines reach the servers; the first is the server on this machine. */
export function newCluster(addresses: readonly string[]): Cluster {
  const servers = addresses.map((address) => printPlace(parseListen(address)));
  if (new Set(servers).size !== SERVERS_OF_A_CLUSTER) {
    throw new OvldError({ code: "hub-servers", facts: { problem: "not-three", servers } });
  }
  return { servers, own: 0, secret: randomBytes(24).toString("hex"), revision: 0 };
}

/** Throws if the hub has other servers than the configuration says. They cannot be changed: mail would be lost. */
export function requireSameServers(
  { cluster, listen }: HubState,
  addresses: readonly string[] | undefined,
): void {
  if (addresses === undefined) return;
  const wanted = newCluster(addresses).servers;
  const servers = cluster?.servers ?? [listen];
  if (wanted.join() !== servers.join()) {
    throw new OvldError({ code: "hub-servers", facts: { problem: "others", servers } });
  }
}

export function serverName(index: number): string {
  return `ovld-hub-${index + 1}`;
}

/** What the hub's server on this machine calls itself. */
export function nameOfServer({ cluster }: HubState): string {
  return cluster === undefined ? ONLY_SERVER : serverName(cluster.own);
}

export function configureCluster({ cluster, listen }: HubState): ConfiguredCluster | undefined {
  if (cluster === undefined) return undefined;
  const others = cluster.servers.filter((_server, index) => index !== cluster.own);
  return {
    name: serverName(cluster.own),
    listen: routeAddress(listen),
    others: others.map(routeAddress),
    secret: cluster.secret,
  };
}

/** How many servers keep each message. */
export function replicasOf({ cluster }: HubState): number {
  return cluster === undefined ? 1 : SERVERS_OF_A_CLUSTER;
}

/** How this machine itself reaches the hub: its own server first. */
export function serversFromHere({ cluster, listen }: HubState): string[] {
  const others = cluster?.servers.filter((_server, index) => index !== cluster.own) ?? [];
  return [localAddress(listen), ...others];
}

function routeAddress(address: string): string {
  const { host, port } = parseListen(address);
  const route = port + ROUTE_PORT > MOST_PORT ? port - ROUTE_PORT : port + ROUTE_PORT;
  return printPlace({ host, port: route });
}
