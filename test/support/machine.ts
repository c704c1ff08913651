/** A machine of its own, which may run a hub or join one: it shares nothing with another one but the loopback. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePerson, type Person } from "./person.ts";
import type { CommandRun } from "./run-command.ts";

export interface Machine {
  person: Person;
  /** Its hub's own folder. */
  folder: string;
  ovld: (args: string[], env?: Record<string, string>) => Promise<CommandRun>;
  /** The same, for commands whose answer is JSON. */
  ask: (args: string[]) => Promise<any>;
  /** Puts a file there, as if it had been copied from another machine. */
  put: (name: string, text: string) => string;
  /** The process ids of its hub: the server, and what supervises it. */
  pids: () => Promise<{ server: number; keeper: number }>;
  log: () => string;
  [Symbol.asyncDispose](): Promise<void>;
}

export function makeMachine(): Machine {
  const person = makePerson();
  const folder = join(person.sandbox.home, ".config/ovld/hub");
  const OVLD_NATS_SERVER = process.env["OVLD_TEST_NATS"] ?? "";
  const ovld: Machine["ovld"] = (args, env = {}) => person.ovld(args, { env: { OVLD_NATS_SERVER, ...env } });
  const ask: Machine["ask"] = async (args) => {
    const { code, stdout, stderr } = await ovld([...args, "--json"]);
    if (stdout === "") throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  person.sandbox.defer(async () => void (await ovld(["hub", "stop"])));
  return {
    person,
    folder,
    ovld,
    ask,
    put(name, text) {
      const path = join(person.sandbox.root, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    },
    async pids() {
      const { server, keeper } = await ask(["hub", "status"]);
      return { server: Number.parseInt(server, 10), keeper: Number.parseInt(keeper?.keeper, 10) };
    },
    log: () => readFileSync(join(folder, "nats.log"), "utf8"),
    [Symbol.asyncDispose]: () => person[Symbol.asyncDispose](),
  };
}
