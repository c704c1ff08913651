import { createHmac } from "node:crypto";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sealKey } from "../../../src/mail/seal.ts";
import { makeSecrets, readSecrets } from "../../../src/mail/secrets.ts";
import { letter, makeStore } from "../../support/store.ts";

const secrets = makeSecrets();
const hmac = (key: string, text: string): string =>
  createHmac("sha256", key).update(text).digest("base64url");
const keyFor = (): string => sealKey(secrets.strategist, letter.from);

it("a seal is made as docs/store-format.md says, so that other programs can make one", async () => {
  await using store = makeStore();
  const sender = store.open({ sealing: { keyFor } });
  const { id, timestamp } = sender.deliver(letter);
  const { seal } = JSON.parse(readFileSync(store.path("inbox/strategist", `${id}.json`), "utf8"));
  const { from, to, subject, body, priority } = letter;
  const key = hmac(secrets.strategist, `mail from ${from}`);
  expect(seal).toBe(hmac(key, JSON.stringify([id, from, to, subject, body, priority, timestamp])));
});

it("only a reader that knows its secret marks mail without a seal, whether it looks at it or takes it", async () => {
  await using store = makeStore();
  const { id } = store.mail.deliver(letter);
  const knowing = store.open({ sealing: { keyFor, secret: secrets.strategist } });
  expect(store.mail.peek("strategist", id)).not.toHaveProperty("unverified");
  expect(knowing.peek("strategist", id)).toHaveProperty("unverified", true);
  expect(knowing.claim("strategist").messages).toMatchObject([{ id, unverified: true }]);
});

it("a missing seal is recorded if the army has secrets, and reported to the sender", async () => {
  await using store = makeStore();
  expect(store.mail.deliver(letter).unverified).toBeUndefined();
  writeFileSync(store.path("secrets.json"), JSON.stringify(secrets));
  expect(store.mail.deliver(letter).unverified).toBe(true);
  expect(store.open({ sealing: { keyFor } }).deliver(letter).unverified).toBeUndefined();
  const stored = [...store.mail.journal().next()].map((entry) => "unverified" in entry && entry.unverified);
  expect(stored).toEqual([false, true, false]);
});

it("there are six long, different secrets; any other file is ignored", async () => {
  await using store = makeStore();
  const root = store.dir;
  expect(new Set(Object.values(secrets)).size).toBe(6);
  for (const secret of Object.values(secrets)) expect(secret).toMatch(/^[\w-]{43}$/);
  expect(readSecrets(root)).toBeUndefined();
  for (const content of ["", "{}", "[1]", JSON.stringify({ ...secrets, storm: "short" })]) {
    writeFileSync(store.path("secrets.json"), content);
    expect(readSecrets(root)).toBeUndefined();
  }
  writeFileSync(store.path("real.json"), JSON.stringify(secrets));
  rmSync(store.path("secrets.json"));
  symlinkSync(store.path("real.json"), store.path("secrets.json"));
  expect(readSecrets(root)).toBeUndefined();
});
