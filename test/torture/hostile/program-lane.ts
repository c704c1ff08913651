/** Configurations and arguments that no person would write, for the built program. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { openMail, type Mail } from "../../../src/mail/mail.ts";
import { OVLD } from "../../support/ovld.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import type { Lane } from "./hostile.ts";
import type { ConfigInput } from "./inputs.ts";
import { watchWorker } from "./watched-worker.ts";

const BATCH = 100;
const SLOW_MS = 10_000;
/** What would control a terminal; nothing is coloured here. */
const RAW = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u;
/** A bug in ovld is reported with this hint. */
const FAULT = "OVLD_DEBUG";

export async function attackProgram(
  { count, seed, tell, breach }: Lane,
  arbitrary: fc.Arbitrary<ConfigInput>,
): Promise<void> {
  await using sandbox = makeSandbox();
  const place = furnish(sandbox);
  const worker = watchWorker(sandbox, { program: place.program, env: place.env, cwd: place.project });
  const stored = new Set<string>();
  const untouched = look(place.project, place.insight);
  for (let done = 0; done < count; done += BATCH) {
    const inputs = fc.sample(arbitrary, { seed: seed + done, numRuns: Math.min(BATCH, count - done) });
    for (const input of inputs) {
      writeFileSync(place.config, input.config);
      const outcome = await worker.give(input);
      const breaches = "breach" in outcome ? [outcome.breach] : judge(outcome.reply, stored);
      for (const each of breaches) breach(`${each}; input ${JSON.stringify(input).slice(0, 1_000)}`);
      tell(1);
    }
    readAll(place.mail, stored);
    if (look(place.project, place.insight) !== untouched)
      breach("a file that is not the store's has changed");
  }
  for (const id of stored) breach(`${id} was stored and never read`);
}

/** A home with an army, a project and a note, and without a Zellij. */
function furnish(sandbox: Sandbox) {
  const config = join(sandbox.home, ".config/ovld/config.toml");
  const project = join(sandbox.root, "project");
  const insight = join(sandbox.root, "insight");
  for (const folder of [dirname(config), project, insight]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(insight, "note.md"), "# A note\u001b[31m\n");
  writeFileSync(join(project, "code.ts"), "gold");
  const mail = openMail(join(dirname(config), "relay"));
  mail.init();
  const program = join(sandbox.root, "program.mjs");
  const worker = join(process.cwd(), "test/torture/hostile/program-worker.mjs");
  writeFileSync(
    program,
    `process.argv.push(${JSON.stringify(join(dirname(OVLD), "../dist"))}, ${JSON.stringify(OVLD)});
await import(${JSON.stringify(worker)});`,
  );
  const env = {
    ...sandbox.env,
    PATH: "/nowhere",
    OVLD_INSIGHT_DIR: insight,
    ZELLIJ_SOCKET_DIR: join(sandbox.root, "s"),
  };
  return { config, project, insight, mail, program, env };
}

interface Run {
  code: number;
  stdout: string;
  stderr: string;
  thrown?: string;
  milliseconds: number;
}

function judge({ code, stdout, stderr, thrown, milliseconds }: Run, stored: Set<string>): string[] {
  const breaches: string[] = [];
  if (thrown !== undefined) breaches.push(`it threw ${thrown}`);
  if (stderr.includes(FAULT)) breaches.push(`a fault of ours: ${stderr}`);
  const raw = RAW.exec(`${stdout}${stderr}`);
  if (raw) breaches.push(`raw control characters: ${JSON.stringify(`${stdout}${stderr}`)}`);
  if (code !== 0 && stderr.trim() === "") breaches.push(`it ended with ${code} and said nothing`);
  if (milliseconds > SLOW_MS) breaches.push(`it took ${Math.round(milliseconds)} ms`);
  const id = /^\{"session":.*"id":"([^"]+)".*"stored":true/.exec(stdout)?.[1];
  if (id !== undefined) stored.add(id);
  return breaches;
}

function readAll(mail: Mail, stored: Set<string>): void {
  const claim = mail.claim("storm");
  for (const { id } of claim.messages) stored.delete(id);
  claim.settle();
}

function look(...folders: string[]): string {
  return folders
    .flatMap((folder) =>
      readdirSync(folder).map((name) => `${name} ${readFileSync(join(folder, name), "utf8")}`),
    )
    .join("\n");
}
