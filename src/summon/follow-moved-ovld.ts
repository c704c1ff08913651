/**
 * An army's files name the Node.js and the ovld that summoned it. If either is gone, because it was moved or updated
 * while the army ran, this makes the files name the ones that are running now, so that an agent that is started again
 * finds its conversation and its relay.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { mcpConfigFile } from "../agent/army-process.ts";
import { RELAY_SERVER } from "../agent/hook-call.ts";
import { ROLES, type Role } from "../army/roles.ts";
import { asideBeside, replaceFile } from "../system/durable-files.ts";
import { listFolder } from "../system/paths.ts";
import { readPlainFile } from "../system/read-file.ts";
import { readRecord } from "../system/record.ts";
import { shellWord } from "../system/text.ts";
import { LAUNCH_FOLDER, LAUNCHER_MODE } from "./army-files.ts";

interface Ovld {
  node: string;
  file: string;
}

export function followMovedOvld(relayDir: string, role: Role, now: Ovld): void {
  const before = readOvld(mcpConfigFile(relayDir, role));
  if (before === undefined || (existsSync(before.node) && existsSync(before.file))) return;
  const correct = (path: string, write: (text: string) => string, mode?: number): void => {
    const file = readPlainFile(path);
    if (!("text" in file)) return;
    const content = file.text
      .replaceAll(write(before.node), () => write(now.node))
      .replaceAll(write(before.file), () => write(now.file));
    try {
      if (content !== file.text) replaceFile({ aside: asideBeside(path), target: path, content, mode });
    } catch {
      // The agent can still be started, and the next start tries again.
    }
  };
  for (const each of ROLES) correct(mcpConfigFile(relayDir, each), (text) => JSON.stringify(text));
  const launchers = join(relayDir, LAUNCH_FOLDER);
  for (const name of listFolder(launchers)) correct(join(launchers, name), shellWord, LAUNCHER_MODE);
}

function readOvld(path: string): Ovld | undefined {
  const server = z.object({ command: z.string(), args: z.tuple([z.string()], z.string()) });
  const config = z.object({ mcpServers: z.object({ [RELAY_SERVER]: server }) });
  const relay = readRecord(path, config)?.mcpServers[RELAY_SERVER];
  return relay && { node: relay.command, file: relay.args[0] };
}
