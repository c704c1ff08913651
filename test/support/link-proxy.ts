/** A TCP link that a test can cut, slow down, or let swallow what is sent. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Sandbox } from "./sandbox.ts";

/** `deaf`: what the client sends arrives, and no answer comes back. `hole`: nothing arrives on either side. */
export type LinkState = "open" | "cut" | "deaf" | "hole";

export interface LinkProxy {
  port: number;
  set(state: LinkState): void;
  /** How long each piece takes on its way. */
  delayMs: number;
}

export async function openLinkProxy(sandbox: Sandbox, target: number): Promise<LinkProxy> {
  let state: LinkState = "open";
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (state === "cut") return void client.destroy();
    const hub = connect(target, "127.0.0.1");
    for (const socket of [client, hub]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    carry(client, hub, () => state === "hole");
    carry(hub, client, () => state === "hole" || state === "deaf");
  });
  const carry = (from: Socket, to: Socket, swallows: () => boolean): void => {
    from.on("data", (bytes) => {
      if (swallows()) return;
      if (proxy.delayMs === 0) to.write(bytes);
      else setTimeout(() => to.write(bytes), proxy.delayMs);
    });
    from.on("close", () => {
      // A swallowing link does not say that the other side is gone either.
      if (!swallows()) to.destroy();
    });
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const proxy: LinkProxy = {
    port: address.port,
    delayMs: 0,
    set(next) {
      // What was swallowed is missing in the stream, so an old connection cannot go on.
      const isBroken = next === "cut" || state === "deaf" || state === "hole";
      state = next;
      if (isBroken) for (const socket of sockets) socket.destroy();
    },
  };
  sandbox.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return proxy;
}
