import { readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeStore } from "../../../support/store.ts";

const PLENTY = { most: 2_048, measure: (text: string) => Buffer.byteLength(text) };

it("short mail is taken completely, leaves the inbox, and is recorded and removed only when it has arrived", async () => {
  await using store = makeStore();
  const ids = [store.send({ body: "one" }), store.send({ body: "two" })];
  store.mail.raiseFlag("strategist", { by: "strategist", ringer: "1-1", way: "socket" });
  const taken = store.mail.claimShort("strategist", ids, PLENTY);
  expect(taken?.messages).toMatchObject([
    { id: ids[0], body: "one", redelivered: false },
    { id: ids[1], body: "two", redelivered: false },
  ]);
  expect(store.inbox()).toEqual([]);
  expect(store.mail.countUnread("strategist")).toBe(2);
  expect(store.mail.flag("strategist")).toMatchObject({ way: "socket" });
  expect(store.journal().map(({ event }) => event)).toEqual(["stored", "stored"]);
  taken?.settle();
  expect(store.mail.countUnread("strategist")).toBe(0);
  expect(store.journal().map(({ event, id }) => [event, id])).toEqual([
    ["stored", ids[0]],
    ["stored", ids[1]],
    ["read", ids[0]],
    ["read", ids[1]],
  ]);
});

it("M4.1a mail that was taken and has not arrived comes back with the next claim, marked", async () => {
  await using store = makeStore();
  const id = store.send();
  store.mail.claimShort("strategist", [id], PLENTY);
  const claim = store.mail.claim("strategist");
  expect(claim.messages).toMatchObject([{ id, redelivered: true }]);
  claim.settle();
  expect(store.mail.countUnread("strategist")).toBe(0);
});

it.each(["claimed", "parsed", "settling"] as const)(
  "a reader that dies with short mail just %s leaves it to the next one, marked",
  async (when) => {
    await using store = makeStore();
    const id = store.send();
    const dying = store.open({
      onStep(step) {
        if (step === when) throw new Error("killed");
      },
    });
    expect(() => dying.claimShort("strategist", [id], PLENTY)?.settle()).toThrow("killed");
    // The folder of a dead reader.
    const [owner = ""] = readdirSync(store.path("claimed", "strategist"));
    renameSync(
      store.path("claimed", "strategist", owner),
      store.path("claimed", "strategist", "999999999-1-x"),
    );
    expect(store.mail.claim("strategist").messages).toMatchObject([{ id, redelivered: true }]);
  },
);

it("nothing is taken if it is too long in total, no longer in the inbox, or has a name that is not the store's", async () => {
  await using store = makeStore();
  const ids = [store.send({ body: "x".repeat(900) }), store.send({ body: "x".repeat(900) })];
  expect(store.mail.claimShort("strategist", ids, PLENTY)).toBeUndefined();
  expect(
    store.mail.claimShort("strategist", [...ids.slice(0, 1), "0mwhgow9k000-ij3jyo"], PLENTY),
  ).toBeUndefined();
  expect(store.mail.claimShort("strategist", [], PLENTY)).toBeUndefined();
  const foreign = store.path("inbox", "strategist", "foreign.json");
  writeFileSync(foreign, "{}");
  expect(store.mail.claimShort("strategist", ["foreign"], PLENTY)).toBeUndefined();
  expect(store.inbox()).toHaveLength(3);
});

it("the limit counts the bytes on disk exactly", async () => {
  await using store = makeStore();
  const id = store.send();
  const { size } = statSync(store.path("inbox", "strategist", `${id}.json`));
  expect(store.mail.claimShort("strategist", [id], { ...PLENTY, most: size - 1 })).toBeUndefined();
  expect(store.mail.claimShort("strategist", [id], { ...PLENTY, most: size })?.messages).toHaveLength(1);
});

it("a file that is not a message is set aside, and nothing is carried", async () => {
  await using store = makeStore();
  const id = store.send();
  writeFileSync(store.path("inbox", "strategist", `${id}.json`), "broken");
  expect(store.mail.claimShort("strategist", [id], PLENTY)).toBeUndefined();
  expect(store.journal().at(-1)).toMatchObject({ event: "quarantined", why: "not JSON" });
});
