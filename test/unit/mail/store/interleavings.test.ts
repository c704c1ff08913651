import { readdirSync, renameSync } from "node:fs";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { makeStore, type StoreFixture } from "../../../support/store.ts";

/** What may happen to one inbox: a message is sent, or read, or its reader is interrupted or dies. */
const event = fc.constantFrom("send", "read", "cut off", "die");

it("whatever is sent, read, cut off or dies in any order: everything is read, and twice only if marked", async () => {
  await using store = makeStore();
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const model = { unread: [] as string[], seen: new Set<string>() };
      const check = (messages: { id: string; redelivered: boolean }[]): void => {
        expect(messages.map(({ id }) => id)).toEqual(model.unread);
        for (const { id, redelivered } of messages) expect(redelivered).toBe(model.seen.has(id));
      };
      for (const happens of [...events, "read"]) {
        if (happens === "send") {
          model.unread.push(store.send());
          continue;
        }
        const reader = happens === "die" ? store.open() : store.mail;
        if (happens === "die" && isHeldByTheLiving(store)) continue;
        const claim = reader.claim("strategist");
        check(claim.messages);
        for (const { id } of claim.messages) model.seen.add(id);
        if (happens === "die") letTheReaderDie(store);
        if (happens !== "read") continue;
        claim.settle();
        model.unread = [];
      }
      expect(store.inbox()).toEqual([]);
      expect(readdirSync(store.path("claimed/strategist"))).toEqual([]);
      expect(readdirSync(store.path("quarantine"))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

/** Another reader rightly does not get what the first one, interrupted but alive, still holds. */
function isHeldByTheLiving(store: StoreFixture): boolean {
  return readdirSync(store.path("claimed/strategist")).some((owner) => !owner.startsWith("999999999-"));
}

/** A process cannot die in this test, so the reader's folder is renamed to that of a process that has ended. */
function letTheReaderDie(store: StoreFixture): void {
  const claims = store.path("claimed/strategist");
  for (const [index, owner] of readdirSync(claims).entries()) {
    renameSync(`${claims}/${owner}`, `${claims}/999999999-1.dead-${index}${Date.now() % 1000}`);
  }
}
