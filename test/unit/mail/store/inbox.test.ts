import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ROLES, type Role } from "../../../../src/army/roles.ts";
import { MOST_MAIL } from "../../../../src/army/words.ts";
import { letter, makeStore } from "../../../support/store.ts";
import { SENDER_STEPS } from "../../../torture/plan.ts";
import type { CarriedMessage } from "../../../../src/mail/store/inbox.ts";

it("M1.1 D1 a message is one JSON file in its recipient's inbox, with all its fields", async () => {
  await using store = makeStore({ now: () => Date.UTC(2026, 10, 15) });
  const id = store.send({ subject: "order", body: "take the hill", priority: "urgent", toAll: undefined });
  expect(store.inbox()).toEqual([`${id}.json`]);
  expect(JSON.parse(readFileSync(store.path("inbox/strategist", `${id}.json`), "utf8"))).toEqual({
    from: "overlord",
    to: "strategist",
    subject: "order",
    body: "take the hill",
    priority: "urgent",
    timestamp: "2026-11-15T00:00:00.000Z",
  });
});

it("delivery leaves nothing under tmp/", async () => {
  await using store = makeStore();
  store.send();
  expect(readdirSync(store.path("tmp"))).toEqual([]);
});

it("any text survives the store unchanged, the subject as one line", async () => {
  await using store = makeStore();
  const line = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(line, fc.string({ unit: "grapheme", maxLength: 2000 }), (subject, body) => {
      store.send({ subject, body });
      const claim = store.mail.claim("strategist");
      claim.settle();
      expect(claim.messages).toEqual([
        expect.objectContaining({
          subject: subject.replaceAll(/[\u2028\u2029]+/g, " ").trim(),
          body: body.replaceAll(/\r\n?/g, "\n"),
        }),
      ]);
    }),
    { numRuns: 300 },
  );
});

it("control characters other than newline and tab never get through", async () => {
  await using store = makeStore();
  const anything = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(anything, anything, (subject, body) => {
      store.send({ subject: `s${subject}`, body });
      const claim = store.mail.claim("strategist");
      claim.settle();
      const [message] = claim.messages;
      expect(message?.subject).not.toMatch(/\p{Cc}/u);
      expect(message?.body).not.toMatch(/[^\P{Cc}\n\t]/u);
    }),
    { numRuns: 300 },
  );
});

it("a message to oneself is refused", async () => {
  await using store = makeStore();
  expect(() => store.send({ from: "storm", to: "storm" })).toThrow(/to-oneself/);
});

it.each([
  ["subject", { subject: "x".repeat(200) }, { subject: "x".repeat(201) }, '"limit":200,"unit":"characters"'],
  [
    "body",
    { body: "ö".repeat(32 * 1024) },
    { body: "ö".repeat(32 * 1024 + 1) },
    '"limit":65536,"unit":"bytes"',
  ],
])(
  "a %s at its limit is accepted, above it refused with the limit",
  async (_field, taken, refused, limit) => {
    await using store = makeStore();
    store.send(taken);
    expect(() => store.send(refused)).toThrow(limit);
    expect(store.mail.claim("strategist").messages).toHaveLength(1);
  },
);

it("the thousand-and-first unread message is refused, and accepted once the inbox was read", async () => {
  await using store = makeStore();
  for (let count = 0; count < 1000; count += 1)
    writeFileSync(store.path("inbox/strategist", `${count}.json`), "{}");
  expect(() => store.send()).toThrow(/inbox-full .*"limit":1000/);
  expect(store.inbox()).toHaveLength(1000);
  store.mail.claim("strategist");
  store.send();
});

it("however many write to the person without end, there is room for another, and what ovld says is always stored", async () => {
  await using store = makeStore({ limits: { ...MOST_MAIL, unreadPerInbox: 64 } });
  const fill = (from: Role): number => {
    for (let sent = 0; ; sent += 1)
      try {
        store
          .open({ limits: { ...MOST_MAIL, unreadPerInbox: 64 } })
          .deliver({ ...letter, from, to: "human" });
      } catch {
        return sent;
      }
  };
  expect(ROLES.map(fill)).toEqual([32, 16, 8, 4, 2, 1]);
  expect(() => store.send({ from: "storm", to: "human" })).toThrow(/inbox-full .*"limit":1,"from":"storm"/);
  for (let count = 0; count < 10; count += 1) store.send({ from: "ovld", to: "human" });
  expect(store.inbox("human")).toHaveLength(73);
});

it("if the whole relay folder disappears, nothing is stored and nothing is recreated", async () => {
  await using store = makeStore();
  store.send();
  rmSync(store.dir, { recursive: true });
  expect(() => store.send()).toThrow(/store-gone/);
  expect(() => store.mail.claim("strategist")).toThrow(/store-gone/);
  expect(existsSync(store.dir)).toBe(false);
});

it.each(["written", "synced"])(
  "if it disappears during a delivery (%s), the error says so, and it is not recreated",
  async (moment) => {
    await using store = makeStore();
    const sender = store.open({
      onStep(step) {
        if (step === moment) rmSync(store.dir, { recursive: true });
      },
    });
    expect(() => sender.deliver(letter)).toThrow(/store-gone/);
    expect(existsSync(store.dir)).toBe(false);
  },
);

it("when the relay folder is back, the next message is stored next to the earlier mail", async () => {
  await using store = makeStore();
  store.send();
  renameSync(store.dir, `${store.dir}-away`);
  expect(() => store.send()).toThrow(/store-gone/);
  renameSync(`${store.dir}-away`, store.dir);
  store.send();
  expect(store.mail.claim("strategist").messages).toHaveLength(2);
});

it("the journal keeps a message's text after it was read", async () => {
  await using store = makeStore();
  const id = store.send({ body: "remember this" });
  store.mail.claim("strategist").settle();
  expect(store.inbox()).toEqual([]);
  expect(store.journal()).toEqual([
    expect.objectContaining({
      event: "stored",
      id,
      from: "overlord",
      to: "strategist",
      body: "remember this",
    }),
    expect.objectContaining({ event: "read", id, role: "strategist" }),
  ]);
});

it("a journal that cannot be written does not stop the mail", async () => {
  await using store = makeStore();
  rmSync(store.path("journal.jsonl"), { force: true });
  mkdirSync(store.path("journal.jsonl"));
  store.mail.deliver(letter);
  expect(store.mail.claim("strategist").messages).toHaveLength(1);
});

it("a sender that does not count each time still stops at the limit", async () => {
  await using store = makeStore({ limits: { ...MOST_MAIL, unreadPerInbox: 300 } });
  let sent = 0;
  const sendAll = (): void => {
    for (;;) {
      store.send();
      sent += 1;
    }
  };
  expect(sendAll).toThrow(/inbox-full .*"limit":300/);
  expect(sent).toBe(300);
  expect(store.inbox()).toHaveLength(300);
});

it("a sender of nine hundred messages lists the inbox for one in ten at most", async () => {
  let listings = 0;
  await using store = makeStore({ onStep: (step) => void (listings += step === "counted" ? 1 : 0) });
  for (let count = 0; count < 900; count += 1) store.send();
  expect(listings).toBeGreaterThan(0);
  expect(listings).toBeLessThan(90);
});

it.each(SENDER_STEPS)(
  "a delivery that fails (%s) leaves no line about a message that is not there",
  async (at) => {
    await using store = makeStore();
    const sender = store.open({
      onStep(step) {
        if (step === at) throw new Error("no more");
      },
    });
    expect(() => sender.deliver(letter)).toThrow("no more");
    expect(store.inbox()).toEqual(
      expect.arrayContaining(store.journal().map(({ id }) => `${String(id)}.json`)),
    );
  },
);

it("a message whose id is taken is in the journal once, with the id that it got", async () => {
  await using store = makeStore();
  const takeName = (): void => {
    const [aside = ""] = readdirSync(store.path("tmp"));
    writeFileSync(store.path("inbox/strategist", `${aside.split("~")[1]}.json`), "{}");
  };
  const sender = store.open({
    onStep: (step) => step === "written" && store.inbox().length === 0 && takeName(),
  });
  const { id } = sender.deliver(letter);
  expect(store.inbox()).toHaveLength(2);
  expect(store.journal()).toMatchObject([{ event: "stored", id }]);
});

it("a message is in the journal when its sender learns that it is stored", async () => {
  await using store = makeStore();
  const id = store.send();
  expect(store.journal()).toMatchObject([{ event: "stored", id }]);
});

const message: CarriedMessage = {
  id: "00000000000a-abcdef",
  from: "overlord",
  to: "storm",
  subject: "order",
  body: "take the hill",
  priority: "normal",
  timestamp: "2026-11-15T03:48:12.296Z",
  redelivered: false,
  machine: "b",
};

it("a message from another machine is stored once, whether it waits, is held by a reader, or comes again", async () => {
  await using store = makeStore();
  store.mail.init();
  expect(store.mail.takeIn(message)).toBe(true);
  expect(store.mail.takeIn(message)).toBe(false);
  const { messages, settle } = store.mail.claim("storm");
  expect(messages).toMatchObject([{ id: message.id, from: "overlord", redelivered: false }]);
  expect(store.mail.takeIn(message)).toBe(false);
  settle();
  expect(store.mail.countUnread("storm")).toBe(0);
});

it("a message that a reader may have seen is marked for its reader", async () => {
  await using store = makeStore();
  store.mail.init();
  store.mail.takeIn({ ...message, redelivered: true });
  expect(store.mail.claim("storm").messages).toMatchObject([{ redelivered: true }]);
});

it("an id that is not one becomes no file", async () => {
  await using store = makeStore();
  store.mail.init();
  expect(() => store.mail.takeIn({ ...message, id: "../../x" })).toThrow("not an id");
});

it("its line in the journal names the machine, and is found by its id however long the journal is", async () => {
  await using store = makeStore();
  store.mail.init();
  const filler = "x".repeat(60_000);
  for (let number = 0; number < 150; number += 1) {
    store.mail.note({ event: "status", role: "storm", status: "working", task: filler });
  }
  store.mail.takeIn(message);
  expect(store.mail.storedEntry(message.id)).toMatchObject({ subject: "order", machine: "b" });
});

it("a copy of the store has the mail that waits for the hub, and no folder for a hub where there is none", async () => {
  await using store = makeStore();
  store.mail.init();
  const copy = `${store.dir}.copy`;
  store.mail.copyTo(copy, { forUse: false });
  expect(existsSync(`${copy}/hub`)).toBe(false);
  mkdirSync(`${store.dir}/hub/outbox/overlord`, { recursive: true });
  writeFileSync(`${store.dir}/hub/outbox/overlord/a.json`, "{}");
  store.mail.copyTo(`${copy}2`, { forUse: true });
  expect(readFileSync(`${copy}2/hub/outbox/overlord/a.json`, "utf8")).toBe("{}");
  store.mail.cleanUp();
  expect(existsSync(`${store.dir}/hub`)).toBe(false);
});
