import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { startRelay } from "../support/relay.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { letter, makeStore } from "../support/store.ts";
import { argumentName, soundCall } from "../torture/hostile/inputs.ts";

const BROKEN_FILES = 6000;
const WRONG_CALLS = 4000;

const good = { ...letter, timestamp: "2026-11-15T00:00:00.000Z" };

/** Files that are not messages, from random bytes to a message with one error (`toAll` may be left out). */
const brokenContent = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  fc.nat(JSON.stringify(good).length - 1).map((end) => Buffer.from(JSON.stringify(good).slice(0, end))),
  fc
    .tuple(fc.constantFrom(...Object.keys(good)), fc.oneof(fc.jsonValue(), fc.constant(undefined)))
    .filter(([key, value]) => typeof value !== "string" && key !== "toAll")
    .map(([key, value]) => Buffer.from(JSON.stringify({ ...good, [key]: value }))),
);

/** Any name a file can have. */
const fileName = fc
  .string({ unit: "binary", minLength: 1, maxLength: 40 })
  .map((name) => Buffer.from(name.replaceAll(/[/\0]/g, "")).toString())
  .filter((name) => name !== "" && !name.startsWith("."));

it(`${BROKEN_FILES} broken files with any name crash nothing, and no good message is lost among them`, async () => {
  await using store = makeStore();
  const inbox = store.path("inbox/strategist");
  let round = 0;
  for (const [name, content] of fc.sample(fc.tuple(fileName, brokenContent), BROKEN_FILES)) {
    round += 1;
    const path = join(inbox, `${name}${round}.json`);
    if (round % 100 === 0) mkdirSync(path);
    else if (round % 101 === 0) symlinkSync("/etc/hostname", join(inbox, `link${round}.json`));
    else writeFileSync(path, content);
    if (round % 50 !== 0) continue;
    const id = store.send({ subject: `${round}` });
    const claim = store.mail.claim("strategist");
    expect(claim.messages.map((message) => message.id)).toEqual([id]);
    claim.settle();
  }
  expect(store.inbox()).toEqual([]);
  const setAside = store.journal().filter(({ event }) => event === "quarantined");
  expect(setAside.length).toBeGreaterThan(BROKEN_FILES * 0.9);
});

const argument = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom("storm", "working", "urgent", "all", "", "../../etc", "\u001b[31m", "__proto__"),
);
/** A valid call with up to three arguments added, replaced or (if undefined) left out. */
const call = fc
  .tuple(
    soundCall,
    fc.array(fc.tuple(argumentName, fc.option(argument, { nil: undefined })), { maxLength: 3 }),
  )
  .map(([[tool, args], changes]) => ({ tool, args: { ...args, ...Object.fromEntries(changes) } }));

/** A word, or JSON; a sender that should know more than a word is told as JSON. */
const ANSWERS: Record<string, string[]> = {
  send_message: ["string", "object"],
  check_inbox: ["object"],
  get_status: ["object"],
  update_status: ["string"],
  broadcast: ["object"],
};

it(`${WRONG_CALLS} calls with arbitrary arguments are each answered, and what they store is well-formed`, async () => {
  await using sandbox = makeSandbox();
  const relay = await startRelay(sandbox, "overlord");
  const storm = await startRelay(sandbox, "storm");
  let stored = 0;
  let received = 0;
  for (const { tool, args } of fc.sample(call, WRONG_CALLS)) {
    const { isError, json } = await relay.call(tool, args);
    expect(isError ? ["string"] : ANSWERS[tool]).toContain(typeof json);
    if (!isError && (tool === "broadcast" || (tool === "send_message" && args["to"] === "storm")))
      stored += 1;
    // Makes room: the limit on unread mail is not tested here.
    if (stored % 100 === 99) received += (await storm.call("check_inbox")).json.length;
  }
  received += (await storm.call("check_inbox")).json.length;
  expect(received).toBe(stored);
  expect(stored).toBeGreaterThan(WRONG_CALLS / 20);
  expect(readdirSync(join(sandbox.relayDir, "quarantine"))).toEqual([]);
  expect(readdirSync(sandbox.root).toSorted()).toEqual(["home", "relay"]);
});
