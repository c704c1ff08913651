/** A running `ovld desk`, and requests to it as any program could send them. */
import { request, type IncomingHttpHeaders } from "node:http";
import { parseLines } from "./read-lines.ts";
import type { Person } from "./person.ts";
import { LATER, type CommandRun, type RunningCommand } from "./run-command.ts";
import { waitUntil } from "./wait-until.ts";

export interface RunningDesk {
  command: RunningCommand;
  /** The latest link that it printed. */
  link: () => string;
  /** Asks for a new one, as a person does with Enter. */
  newLink: () => Promise<string>;
  port: number;
  /** The desk's first folder, with slashes around it. */
  prefix: string;
  /** Opens the link and returns the cookie. */
  enter: () => Promise<string>;
  ask: (path: string, options?: AskOptions) => Promise<DeskReply>;
}

interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** False for a connection of its own. */
  agent?: false;
}

interface DeskReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

type Starter = Pick<Person, "start" | "sandbox">;

export async function startDesk(person: Starter, ...args: string[]): Promise<RunningDesk> {
  const command = person.start(["desk", "--json", ...args], { input: LATER });
  person.sandbox.defer(async () => {
    command.kill("SIGKILL");
    await command.ended;
  });
  const links = (): string[] => parseLines<{ link: string }>(command.stdout()).map(({ link }) => link);
  let ended: CommandRun | undefined;
  void command.ended.then((run) => (ended = run));
  await waitUntil("the desk prints its link", () => {
    if (ended) throw new Error(`ovld desk ended: ${ended.stderr}`);
    return links().length > 0;
  });
  const { port, pathname } = new URL(links()[0] ?? "");
  const prefix = pathname.slice(0, pathname.lastIndexOf("/") + 1);
  const newLink = async (): Promise<string> => {
    const before = links().length;
    command.type("\n");
    await waitUntil("the desk prints a new link", () => links().length > before);
    return links().at(-1) ?? "";
  };
  const ask: RunningDesk["ask"] = (path, options) => askDesk(Number(port), path, options);
  return {
    command,
    link: () => links().at(-1) ?? "",
    newLink,
    port: Number(port),
    prefix,
    ask,
    async enter() {
      const { pathname: path, search } = new URL(links().at(-1) ?? "");
      const { headers } = await ask(`${path}${search}`);
      return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    },
  };
}

/** Sends the path exactly as it is. */
function askDesk(port: number, path: string, { method = "GET", headers = {}, body, agent }: AskOptions = {}) {
  return new Promise<DeskReply>((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path, method, agent, headers: { ...headers } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
