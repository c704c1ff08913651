import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MOST_MAIL } from "../../../src/army/mail-limits.ts";
import type { Role } from "../../../src/army/roles.ts";
import type { Arrival, Carrier } from "../../../src/mail/carrier.ts";
import { createFilesCarrier } from "../../../src/mail/files-carrier.ts";
import { openHubCarrier } from "../../../src/mail/hub/open-hub-carrier.ts";
import { openMail } from "../../../src/mail/mail.ts";
import { startHub } from "../../support/nats.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

type User = Role | "human";
type Open = (user: User) => Carrier;

async function openFiles(sandbox: Sandbox): Promise<Open> {
  openMail(sandbox.relayDir).init();
  return (user) => createFilesCarrier(openMail(sandbox.relayDir), user);
}

async function openHub(sandbox: Sandbox): Promise<Open> {
  const { membership } = await startHub(sandbox);
  return (user) =>
    openHubCarrier({ membership, user, folder: join(sandbox.root, "machine"), limits: MOST_MAIL });
}

const draft = (body: string) =>
  ({ from: "overlord", to: "storm", subject: "order", body, priority: "normal" }) as const;

const bodies = (messages: { body: string; redelivered: boolean }[]) =>
  messages.map(({ body, redelivered }) => [body, redelivered]);

/** What everything above the mail may rely on, whatever carries it. */
describe.each([
  ["files", openFiles],
  ["a hub", openHub],
])("mail by %s", (_name, prepare) => {
  async function open(sandbox: Sandbox) {
    const make = await prepare(sandbox);
    return (user: User): Carrier => {
      const carrier = make(user);
      sandbox.defer(() => carrier.close());
      return carrier;
    };
  }

  it("is stored, read in order, and gone once it is settled", async () => {
    await using sandbox = makeSandbox();
    const carrier = await open(sandbox);
    const [overlord, storm] = [carrier("overlord"), carrier("storm")];
    const ids: string[] = [];
    for (const body of ["one", "two", "three"]) {
      const delivery = await overlord.deliver(draft(body));
      ids.push("stored" in delivery ? delivery.stored.id : "");
    }
    expect(await storm.countUnread("storm")).toBe(3);
    const { messages, remaining, settle } = await storm.claim();
    expect(messages.map(({ id, from }) => [id, from])).toEqual(ids.map((id) => [id, "overlord"]));
    expect([bodies(messages).map(([body]) => body), remaining]).toEqual([["one", "two", "three"], 0]);
    await settle();
    expect((await storm.claim()).messages).toEqual([]);
    expect(await storm.countUnread("storm")).toBe(0);
  });

  it("comes again, marked, as long as it is not settled, and once after it was given back", async () => {
    await using sandbox = makeSandbox();
    const carrier = await open(sandbox);
    const storm = carrier("storm");
    await carrier("overlord").deliver(draft("one"));
    expect(bodies((await storm.claim()).messages)).toEqual([["one", false]]);
    const second = await storm.claim();
    expect(bodies(second.messages)).toEqual([["one", true]]);
    await second.giveBack();
    const third = await storm.claim();
    expect(bodies(third.messages)).toEqual([["one", true]]);
    await third.giveBack();
    expect((await storm.claim()).messages).toEqual([]);
  });

  it("that is too long for one answer is read in several, in order", async () => {
    await using sandbox = makeSandbox();
    const carrier = await open(sandbox);
    const [overlord, storm] = [carrier("overlord"), carrier("storm")];
    for (let number = 0; number < 12; number += 1) {
      await overlord.deliver(draft(`${number} ${"x".repeat(60_000)}`));
    }
    const seen: number[] = [];
    const first = await storm.claim();
    expect(first.messages.length + first.remaining).toBe(12);
    expect(first.remaining).toBeGreaterThan(0);
    for (let claim = first; claim.messages.length > 0; claim = await storm.claim()) {
      const size = claim.messages.reduce((sum, { body }) => sum + body.length, 0);
      expect(size).toBeLessThan(500_000);
      seen.push(...claim.messages.map(({ body }) => Number.parseInt(body, 10)));
      await claim.settle();
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_none, index) => index));
  });

  it.each([
    ["to oneself", { ...draft("x"), from: "storm" as const }, "to-oneself"],
    ["too long", draft("x".repeat(70_000)), "too-long"],
  ])("is refused with the same error: %s", async (_what, wrong, code) => {
    await using sandbox = makeSandbox();
    const carrier = (await open(sandbox))(wrong.from);
    const delivery = Promise.resolve().then(() => carrier.deliver(wrong));
    await expect(delivery).rejects.toMatchObject({ report: { code } });
  });

  it("is announced with its sender and priority", async () => {
    await using sandbox = makeSandbox();
    const carrier = await open(sandbox);
    const [overlord, storm] = [carrier("overlord"), carrier("storm")];
    const heard: (Arrival | undefined)[] = [];
    expect(await storm.status("storm")).toMatchObject({ status: "idle" });
    storm.watchInbox((arrival) => heard.push(arrival));
    await expect.poll(() => storm.countUnread("storm"), soon).toBe(0);
    await overlord.deliver({ ...draft("now"), priority: "urgent" });
    await expect.poll(() => heard, soon).toContainEqual({ from: "overlord", priority: "urgent" });
  });

  it("comes with statuses and a journal that others read", async () => {
    await using sandbox = makeSandbox();
    const carrier = await open(sandbox);
    const [overlord, storm, human] = [carrier("overlord"), carrier("storm"), carrier("human")];
    const followed: string[] = [];
    human.watchJournal((entry) => entry && followed.push(entry.event));
    await expect.poll(() => human.countUnread("storm"), soon).toBe(0);
    await overlord.deliver(draft("one"));
    const { handOver, settle } = await storm.claim();
    handOver();
    await settle();
    await storm.setStatus("done", "read it");
    expect(await overlord.status("storm")).toMatchObject({ status: "done", task: "read it" });
    const events = async (): Promise<string[]> => {
      const all: string[] = [];
      for await (const { event } of human.journal()) all.push(event);
      return all;
    };
    await expect.poll(events, soon).toEqual(["stored", "read", "status"]);
    await expect.poll(() => followed, soon).toEqual(["stored", "read", "status"]);
  });
});
