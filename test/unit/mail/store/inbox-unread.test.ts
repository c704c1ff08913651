import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, type TestContext } from "vitest";
import { identifyProcess } from "../../../../src/system/process.ts";
import { openMail } from "../../../../src/mail/mail.ts";
import { makeSandbox, type Sandbox } from "../../../support/sandbox.ts";
import { letter, makeStore } from "../../../support/store.ts";
import { soon } from "../../../support/wait-until.ts";

it("unread mail is what is in the inbox, oldest first, and on request what this process handed out", async () => {
  await using store = makeStore();
  const first = store.send();
  const second = store.send();
  expect(store.mail.unread("strategist", { handedOut: false })).toEqual([first, second]);
  store.mail.claim("strategist");
  const third = store.send();
  expect(store.mail.unread("strategist", { handedOut: false })).toEqual([third]);
  expect(store.mail.unread("strategist", { handedOut: true })).toEqual([first, second, third]);
});

it("a message can be looked at wherever it is, until it is settled", async () => {
  await using store = makeStore();
  const id = store.send({ subject: "the hill" });
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, subject: "the hill" });
  const claim = store.mail.claim("strategist");
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, from: "overlord" });
  claim.settle();
  expect(store.mail.peek("strategist", id)).toBeUndefined();
});

it("what a dead reader holds is unread; what a living one holds is not", async () => {
  await using store = makeStore();
  const first = store.send();
  const second = store.send();
  holdBy("999999999-1.dead-000000", first);
  holdBy(`${identifyProcess(process.ppid)}-000000`, second);
  expect(store.mail.unread("strategist", { handedOut: true })).toEqual([first]);
  expect(store.mail.countUnread("strategist")).toBe(2);

  function holdBy(owner: string, id: string): void {
    mkdirSync(store.path("claimed/strategist", owner));
    const held = store.path("claimed/strategist", owner, `${id}.json`);
    renameSync(store.path("inbox/strategist", `${id}.json`), held);
  }
});

it("only messages are counted, and a missing store has none", async () => {
  await using store = makeStore();
  store.send();
  writeFileSync(store.path("inbox/strategist/readme.txt"), "x");
  expect(store.mail.countUnread("strategist")).toBe(1);
  expect(store.mail.countUnread("storm")).toBe(0);
  expect(store.mail.unread("strategist", { handedOut: true })).toHaveLength(1);
  rmSync(store.dir, { recursive: true });
  expect(store.mail.countUnread("strategist")).toBe(0);
  expect(store.mail.unread("strategist", { handedOut: true })).toEqual([]);
  expect(existsSync(store.dir)).toBe(false);
});

it("a message can be looked at where it waits and where it was handed out, and stays there", async () => {
  await using store = makeStore();
  const id = store.send({ subject: "look" });
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, subject: "look" });
  const claim = store.mail.claim("strategist");
  expect(store.mail.peek("strategist", id)).toMatchObject({ id, subject: "look" });
  claim.settle();
  expect(store.mail.peek("strategist", id)).toBe(undefined);
  writeFileSync(store.path("inbox/strategist/broken.json"), "{");
  expect(store.mail.peek("strategist", "broken")).toBe(undefined);
});

it("a message's header is read again as long as the message could not be read", async () => {
  await using store = makeStore();
  const id = store.send({ priority: "urgent" });
  const [path, aside] = [store.path("inbox/strategist", `${id}.json`), store.path("tmp/on-its-way")];
  renameSync(path, aside);
  expect(store.mail.headers("strategist", [id])).toEqual([]);
  renameSync(aside, path);
  expect(store.mail.headers("strategist", [id])).toMatchObject([{ id, priority: "urgent" }]);
});

it("a folder whose modification time was set back is still seen to have changed", async () => {
  await using store = makeStore();
  const inbox = store.path("inbox/strategist");
  store.send();
  const past = new Date(Date.now() - 3_600_000);
  utimesSync(inbox, past, past);
  await expect.poll(() => isOld(inbox), soon).toBe(true);
  expect(store.mail.countUnread("strategist")).toBe(1);
  store.open().deliver(letter);
  utimesSync(inbox, past, past);
  expect(store.mail.countUnread("strategist")).toBe(2);
});

it("mail that comes within a second of the last is noticed even if a folder's times are in whole seconds", async (context) => {
  await using sandbox = makeSandbox();
  mountDiskOfSeconds(context, sandbox);
  const [mail, sender] = [openMail(sandbox.relayDir), openMail(sandbox.relayDir)];
  mail.init();
  const inbox = join(sandbox.relayDir, "inbox/strategist");
  for (let isSameSecond = false; !isSameSecond;) {
    sender.deliver(letter);
    const { ctimeMs } = statSync(inbox);
    await expect.poll(() => isOld(inbox), soon).toBe(true);
    const count = mail.countUnread("strategist");
    sender.deliver(letter);
    isSameSecond = statSync(inbox).ctimeMs === ctimeMs;
    expect(mail.countUnread("strategist")).toBe(count + 1);
  }
});

/** Longer ago than a tick of the kernel. */
function isOld(folder: string): boolean {
  return Date.now() - statSync(folder).ctimeMs > 60;
}

function mountDiskOfSeconds(context: TestContext, sandbox: Sandbox): void {
  const { root, relayDir } = sandbox;
  const image = join(root, "disk");
  writeFileSync(image, "");
  truncateSync(image, 4 * 1024 * 1024);
  mkdirSync(relayDir);
  // Such an inode has no room for finer times.
  const made = spawnSync("mkfs.ext4", ["-q", "-F", "-I", "128", "-O", "^has_journal", image]);
  if (made.status !== 0 || spawnSync("mount", ["-o", "loop", image, relayDir]).status !== 0) {
    context.skip("mounting a disk needs root");
  }
  sandbox.defer(() => void spawnSync("umount", ["--lazy", relayDir]));
}
