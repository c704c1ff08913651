/** A relay of an army whose agent is the test itself: it has an inbox socket and reports its state by hooks. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import type { Role } from "../../src/army/roles.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { startRelay, type RelayClient } from "./relay.ts";
import type { Sandbox } from "./sandbox.ts";

export const SECRET = "known to the hooks of this army alone";

/** An inbox socket that accepts everything and starts no turn by itself. */
export async function openSocket(
  sandbox: Sandbox,
  name = "inbox",
): Promise<{ path: string; posts: string[] }> {
  const posts: string[] = [];
  const path = join(sandbox.root, `${name}.sock`);
  rmSync(path, { force: true });
  const server = createServer((connection) => {
    let text = "";
    connection.setEncoding("utf8").on("data", (part) => (text += part));
    connection.on("end", () => posts.push(text));
    connection.on("error", () => {});
  });
  server.listen(path);
  await once(server, "listening");
  sandbox.defer(() => void server.close());
  return { path, posts };
}

/** Makes Claude Code's registry say this about the process of the test, which is the relay's agent. */
export function register(sandbox: Sandbox, status: string): void {
  mkdirSync(join(sandbox.home, "sessions"), { recursive: true });
  const entry = { pid: process.pid, status, statusUpdatedAt: Date.now() };
  writeFileSync(join(sandbox.home, "sessions", `${process.pid}.json`), JSON.stringify(entry));
}

interface Agent extends RelayClient {
  hook: (event: string, more?: Record<string, unknown>) => Promise<{ text: string; isError: boolean }>;
}

/** A relay whose agent is this test: it lists the tools and reports its state by hooks. */
export async function startAgent(
  sandbox: Sandbox,
  role: Role,
  socket: string,
  variables: Record<string, string> = {},
  { init = true, ...start }: { init?: boolean; prefix?: string[]; program?: string } = {},
): Promise<Agent> {
  const env = {
    OVLD_ZELLIJ: "/nowhere/zellij",
    ...variables,
    OVLD_SECRET: SECRET,
    OVLD_WAKE: "auto",
    CLAUDE_CODE_MESSAGING_SOCKET: socket,
    CLAUDE_CONFIG_DIR: sandbox.home,
  };
  // Stands in for `summon`, which creates the store: an army's relay does not recreate one that is gone.
  if (init) openMail(sandbox.relayDir).init();
  const relay = await startRelay(sandbox, role, { env, ...start });
  await relay.client.listTools();
  const hook: Agent["hook"] = (event, more = {}) =>
    relay.call("agent_event", { secret: SECRET, event, ...more });
  return { ...relay, hook };
}

interface Seat {
  agent: Agent;
  mail: Mail;
  /** What arrived through its socket. */
  posts: string[];
}

export async function seatStrategist(
  sandbox: Sandbox,
  more?: Record<string, string>,
  start?: { prefix?: string[] },
): Promise<Seat> {
  const { path, posts } = await openSocket(sandbox);
  const agent = await startAgent(sandbox, "strategist", path, more, start);
  return { agent, mail: openMail(sandbox.relayDir), posts };
}

/** What a post says to the model, without the wrapping that names its sender. */
export function wordsOf(post = ""): string {
  const { message } = JSON.parse(post.trim().split("\n").at(-1) ?? "");
  return (
    /^<cross-session-message from="ovld" from-name="[a-z]+">\n(.*)\n<\/cross-session-message>$/s.exec(
      message.content,
    )?.[1] ?? message.content
  );
}
