/**
 * A port of this machine that nobody listens on right now. Systems give higher ones to outgoing connections, which could
 * take the port before its server does, or while that is started again.
 */
import { once } from "node:events";
import { createServer } from "node:net";

const [FIRST, COUNT] = [20_000, 10_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFreePort(port)) return port;
  }
}

async function isFreePort(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (isFree) await new Promise((resolve) => server.close(resolve));
  return isFree;
}
