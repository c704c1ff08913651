/**
 * Whether a NATS server greets at an address. The client itself, if nobody greets it, gives up but leaves its socket
 * open, and a link that is cut silently would collect such sockets.
 */
const GREETING = "INFO ";

/** Undefined if it greets, otherwise why not. */
export function findGreeting(address: string, withinMs: number): Promise<string | undefined> {
  const { host, port } = splitAddress(address);
  return new Promise((resolve) => {
    // Loaded only when needed.
    const { connect } = process.getBuiltinModule("node:net");
    const socket = connect(port, host);
    const end = (problem: string | undefined): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(problem);
    };
    const late = setTimeout(() => end(`${address} does not answer`), withinMs);
    let seen = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      seen += text;
      if (seen.length >= GREETING.length) {
        end(seen.startsWith(GREETING) ? undefined : `${address} is not a NATS server`);
      }
    });
    socket.once("error", (error) => end(error.message));
    socket.once("close", () => end(`${address} closed the connection`));
  });
}

/** Nobody on another machine can listen there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

export function splitAddress(address: string): { host: string; port: number } {
  const plain = address.replace(/^[a-z]+:\/\//, "");
  const [, host = plain, port = "4222"] = /^(.*?)(?::(\d+))?$/.exec(plain) ?? [];
  return { host: host.replaceAll(/^\[|\]$/g, ""), port: Number(port) };
}
