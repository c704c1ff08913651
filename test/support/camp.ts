/** An army on several "machines" of one host: each has its own relay folder and keys, and its own link to one hub. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../src/army/roles.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { formatMembership, type Membership } from "../../src/machines/membership.ts";
import { openLinkProxy, type LinkProxy } from "./link-proxy.ts";
import { startHub, type TestHub } from "./nats.ts";
import { startRelay, type RelayClient, type RelayStart } from "./relay.ts";
import type { Sandbox } from "./sandbox.ts";

export interface Machine {
  name: string;
  relayDir: string;
  /** Its keys. */
  file: string;
  mail: Mail;
  /** Its link to the hub. */
  link: LinkProxy;
  relay: (role: Role, start?: RelayStart) => Promise<RelayClient>;
}

export interface Camp {
  hub: TestHub;
  machine: (name: string, roles: readonly Role[], options?: MachineOptions) => Promise<Machine>;
}

interface MachineOptions {
  /** Distinguishes copies of one join file. */
  instance?: string;
  link?: LinkProxy;
}

export async function makeCamp(sandbox: Sandbox): Promise<Camp> {
  const hub = await startHub(sandbox);
  return {
    hub,
    async machine(name, roles, { instance = name, link: given } = {}) {
      const link = given ?? (await openLinkProxy(sandbox, hub.port));
      const folder = join(sandbox.root, "machines", instance);
      mkdirSync(folder, { recursive: true });
      const relayDir = join(folder, "relay");
      const file = join(folder, "camp.json");
      const users = [...roles, "human"] as const;
      const membership: Membership = {
        ...hub.membership,
        machine: name,
        instance,
        servers: [`127.0.0.1:${link.port}`],
        seeds: Object.fromEntries(users.map((user) => [user, hub.keys[user].seed])),
      };
      writeFileSync(file, formatMembership(membership), { mode: 0o600 });
      return {
        name,
        relayDir,
        file,
        link,
        mail: openMail(relayDir),
        relay: (role, start = {}) =>
          startRelay(sandbox, role, {
            ...start,
            env: { OVLD_RELAY_DIR: relayDir, OVLD_HUB: file, OVLD_SESSION: "camp", ...start.env },
          }),
      };
    },
  };
}

/** The client has to list the tools: until then a relay does nothing. */
export async function openRelay(machine: Machine, role: Role, start?: RelayStart): Promise<RelayClient> {
  const relay = await machine.relay(role, start);
  await relay.client.listTools();
  return relay;
}
