import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  isReplaced,
  presentName,
  recordIn,
  recordSession,
  serverState,
} from "../../src/zellij/session-record.ts";
import { socketPath } from "../../src/zellij/socket.ts";
import type { Zellij } from "../../src/zellij/zellij.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";

function makeZellij(sandbox: Sandbox): Zellij {
  const sockets = join(sandbox.root, "s");
  mkdirSync(join(sockets, "contract_version_1"), { recursive: true });
  mkdirSync(sandbox.relayDir);
  const record = recordIn(sandbox.relayDir);
  return { program: "none", env: { ...sandbox.env, ZELLIJ_SOCKET_DIR: sockets }, record };
}

/** A socket, and a process started like the server of a session. */
async function openSession(sandbox: Sandbox, zellij: Zellij, name: string): Promise<{ end: () => void }> {
  const path = socketPath(zellij, name);
  const socket: Server = createServer().listen(path);
  await once(socket, "listening");
  sandbox.defer(() => void socket.close());
  const server = await startAsServer(sandbox, path);
  return { end: () => void server.kill("SIGKILL") };
}

async function startAsServer(sandbox: Sandbox, path: string): Promise<ChildProcess> {
  const words = ["-e", "setInterval(() => {}, 1000)", "--", "--server", path];
  const server = spawn(process.execPath, words, { stdio: "ignore" });
  sandbox.defer(() => void server.kill("SIGKILL"));
  await once(server, "spawn");
  return server;
}

it("a renamed session is found by its socket, again and again", async () => {
  await using sandbox = makeSandbox();
  const zellij = makeZellij(sandbox);
  await openSession(sandbox, zellij, "army");
  await recordSession(zellij, "army");
  expect([presentName(zellij, "army"), serverState(zellij)]).toEqual(["army", "alive"]);
  for (const [from, to] of [
    ["army", "mine"],
    ["mine", "my army"],
  ] as const) {
    renameSync(socketPath(zellij, from), socketPath(zellij, to));
    expect(presentName(zellij, "army")).toBe(to);
  }
  expect(presentName(zellij, "another")).toBe("another");
});

it("a copy that the server makes of itself to open a pane is not taken for the server", async () => {
  await using sandbox = makeSandbox();
  const zellij = makeZellij(sandbox);
  await openSession(sandbox, zellij, "army");
  const copy = await startAsServer(sandbox, socketPath(zellij, "army"));
  const recording = recordSession(zellij, "army");
  copy.kill("SIGKILL");
  await Promise.all([recording, once(copy, "exit")]);
  expect(serverState(zellij)).toBe("alive");
});

it("while its server is alive, another session with its old name is not taken for it", async () => {
  await using sandbox = makeSandbox();
  const zellij = makeZellij(sandbox);
  const army = await openSession(sandbox, zellij, "army");
  await recordSession(zellij, "army");
  rmSync(socketPath(zellij, "army"));
  await openSession(sandbox, zellij, "army");
  expect(presentName(zellij, "army")).toBeUndefined();
  army.end();
  // A process that is just ending still exists, but no longer has arguments: so look without a pause.
  while (serverState(zellij) === "alive");
  expect([presentName(zellij, "army"), isReplaced(zellij, "army")]).toEqual(["army", true]);
});

it("without a valid record, a session is known only by its name", async () => {
  await using sandbox = makeSandbox();
  const zellij = makeZellij(sandbox);
  await openSession(sandbox, zellij, "army");
  expect([presentName(zellij, "army"), serverState(zellij)]).toEqual(["army", "unknown"]);
  const elsewhere = { ...zellij, record: undefined };
  expect(presentName(elsewhere, "army")).toBe("army");
});
