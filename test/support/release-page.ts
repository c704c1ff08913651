/** A loopback stand-in for Zellij's release page, which also acts as a proxy. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

export type Answer = Buffer | ((response: ServerResponse) => void);

export interface ReleasePage {
  /** Its address, for `OVLD_ZELLIJ_RELEASES` or a proxy variable. */
  url: string;
  /** What was requested: a path, a whole address if used as a proxy, or `CONNECT host:port`. */
  asked: string[];
}

/** Answers by the end of the file's name; anything not given is not found. */
export async function openReleasePage(
  sandbox: Sandbox,
  answers: Partial<Record<".sha256sum" | ".tar.gz", Answer>>,
): Promise<ReleasePage> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    asked.push(url);
    const [, answer] = Object.entries(answers).find(([ending]) => url.endsWith(ending)) ?? [];
    if (typeof answer === "function") answer(response);
    else response.writeHead(answer ? 200 : 404).end(answer ?? "not found");
  });
  server.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  sandbox.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

/** A program packed like a release, or files with other names in its place. */
export function packRelease(sandbox: Sandbox, program: string | Buffer, names = ["zellij"]): Buffer {
  const folder = join(mkdtempSync(join(sandbox.root, "release-")), "inside");
  mkdirSync(folder);
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), program);
    chmodSync(join(folder, name), 0o755);
  }
  const archive = join(folder, "archive.tar.gz");
  const tar = spawnSync("tar", ["-czPf", archive, ...names], { cwd: folder, encoding: "utf8" });
  if (tar.status !== 0) throw new Error(tar.stderr);
  return readFileSync(archive);
}

export function sumOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Lets a copy of the source or of the built program accept this archive, as if it were the release. */
export function pinRelease(file: string, archive: Buffer): void {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/"[0-9a-f]{64}"/g, `"${sumOf(archive)}"`));
}
