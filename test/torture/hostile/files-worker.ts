/** Uses a store into which one strange thing after another is put, and reports every broken promise. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isMessageId } from "../../../src/mail/store/message.ts";
import { openMail, type Mail } from "../../../src/mail/mail.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";
import { sealedBody, isWhole } from "../ledger.ts";
import type { Plant } from "./inputs.ts";

const root = process.argv[2] ?? process.cwd();
const dir = join(root, "relay");
const outside = join(root, "outside");
/** Holds what was there before something was planted. */
const hidden = join(root, "hidden");
const SLOW_MS = 5_000;
const RAW = /[^\P{Cc}\n\t]/u;

mkdirSync(outside, { recursive: true });
for (const name of ["storm.json", "gold", "1-1"]) writeFileSync(join(outside, name), "gold");
const warm = openMail(dir);
warm.init();
let count = 0;

process.on("message", (input: Plant) => {
  process.send?.({ breaches: endure(input) });
});

function endure(plant: Plant): string[] {
  const breaches: string[] = [];
  const { role } = plant;
  const body = sealedBody(`${(count += 1)} ${"魔王 ".repeat(count % 50)}`);
  const { id } = warm.deliver({ from: "human", to: role, subject: "s", body, priority: "normal" });
  const before = look(outside);
  const path = put(plant);
  // A new process, and one that already knows the store.
  const cold = openMail(dir);
  for (const mail of [cold, warm])
    for (const [what, use] of uses(plant)) attempt(what, () => use(mail), breaches);
  const ids = new Set(attempt("claim", () => read(cold, plant, breaches), breaches) ?? []);
  takeAway(path);
  for (const later of attempt("claim afterwards", () => read(warm, plant, breaches), breaches) ?? []) {
    if (ids.has(later)) breaches.push(`${later} was read twice`);
    ids.add(later);
  }
  if (!ids.has(id)) breaches.push(`${id} was lost`);
  if (look(outside) !== before) breaches.push("something outside the store has changed");
  return breaches;
}

function uses({ role }: Plant): [string, (mail: Mail) => unknown][] {
  const ringing = { by: role, ringer: "1-1", way: "typing" } as const;
  return [
    ["unread", (mail) => mail.unread(role, { handedOut: true })],
    ["count", (mail) => mail.countUnread(role)],
    ["status", (mail) => mail.status(role)],
    ["set status", (mail) => mail.setStatus(role, "working", "on it")],
    ["raise flag", (mail) => mail.raiseFlag(role, ringing)],
    ["flag", (mail) => mail.flag(role)],
    ["lower flag", (mail) => mail.lowerFlag(role)],
    ["presences", (mail) => mail.presences()],
    ["report", (mail) => mail.agentReport(role)],
    ["army", (mail) => mail.army()],
    ["trouble", (mail) => mail.trouble()],
    ["inventory", (mail) => mail.inventory()],
    ["journal", (mail) => [...mail.journal(Date.now() - 1_000).next()].length],
  ];
}

/** A refusal must be an error with a sentence, and come at once. */
function attempt<Result>(what: string, action: () => Result, breaches: string[]): Result | undefined {
  const from = performance.now();
  try {
    return action();
  } catch (error) {
    if (!(error instanceof OvldError)) breaches.push(`${what}: ${String(error)}`);
    return undefined;
  } finally {
    const took = performance.now() - from;
    if (took > SLOW_MS) breaches.push(`${what} took ${Math.round(took)} ms`);
  }
}

function read(mail: Mail, { role }: Plant, breaches: string[]): string[] {
  const claim = mail.claim(role);
  for (const { id, subject, body, from } of claim.messages) {
    if (!isMessageId(id)) breaches.push(`${JSON.stringify(id)} is no id`);
    if (RAW.test(subject + body)) breaches.push(`${id} has raw control characters`);
    if (from === "human" && subject === "s" && !isWhole(body)) breaches.push(`${id} was damaged`);
  }
  claim.settle();
  return claim.messages.map(({ id }) => id);
}

function put({ place, role, name, form, content }: Plant): string {
  const path = join(
    dir,
    place.replace("ROLE", role).replace("NAME", () => name),
  );
  mkdirSync(dirname(path), { recursive: true });
  if (isThere(path)) renameSync(path, hidden);
  const bytes = Buffer.from(content, "base64");
  switch (form) {
    case "bytes":
      writeFileSync(path, bytes);
      break;
    case "locked file":
      writeFileSync(path, bytes, { mode: 0o000 });
      break;
    case "folder":
      mkdirSync(path);
      break;
    case "full folder":
    case "locked folder":
      mkdirSync(path);
      writeFileSync(join(path, "0mwhao51k000-924ybx.json"), bytes);
      if (form === "locked folder") chmodSync(path, 0o000);
      break;
    case "pipe":
      spawnSync("mkfifo", [path]);
      break;
    case "link out":
      symlinkSync(content.length % 2 === 0 ? outside : join(outside, "gold"), path);
      break;
    case "link to itself":
      symlinkSync(".", path);
      break;
  }
  return path;
}

function takeAway(path: string): void {
  // The store may have set the planted thing aside; then something else may be in its place.
  unlock(dir);
  if (existsSync(hidden) || lstatSync(hidden, { throwIfNoEntry: false })) {
    rmSync(path, { recursive: true, force: true });
    renameSync(hidden, path);
  } else if (!path.includes("/inbox/") || !lstatSync(path, { throwIfNoEntry: false })?.isFile()) {
    rmSync(path, { recursive: true, force: true });
  }
}

function unlock(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if ((lstatSync(path).mode & 0o700) !== 0o700) chmodSync(path, 0o700);
    unlock(path);
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function look(folder: string): string {
  return readdirSync(folder)
    .toSorted()
    .map((name) => `${name} ${readFileSync(join(folder, name), "utf8")}`)
    .join("\n");
}
