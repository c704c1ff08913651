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
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      await new Promise((resolve) => server.close(resolve));
      return port;
    } catch {
      // Somebody listens there.
    }
  }
}
