import { expect, it } from "vitest";
import { askHub } from "../../../src/machines/carrier/link.ts";
import { makeCamp, openRelay } from "../../support/camp.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { atMost, soon } from "../../support/wait-until.ts";

const order = (to: string, body: string) => ({ to, subject: "order", body });

it("mail between machines goes by the hub into the recipient's own inbox, and is read there with its sender", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const [a, b] = [await camp.machine("a", ["overlord"]), await camp.machine("b", ["storm"])];
  const overlord = await openRelay(a, "overlord");
  const storm = await openRelay(b, "storm");
  const sent = await overlord.call("send_message", order("storm", "one"));
  expect(sent).toMatchObject({
    text: expect.stringContaining("stored"),
    meta: { id: expect.stringMatching(/^0{6}/) },
  });
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(1);
  const { json } = await storm.call("check_inbox");
  expect(json).toMatchObject([{ id: sent.meta?.["id"], from: "overlord", body: "one" }]);
  expect(json[0]).not.toHaveProperty("redelivered");
  const reply = await storm.call("send_message", order("overlord", "two"));
  expect(reply.text).toContain("stored");
  await expect.poll(() => a.mail.countUnread("overlord"), soon).toBe(1);
});

it("mail to the person goes to the machine of the overlord, and says there that it waits for them", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const [a, b] = [await camp.machine("a", ["overlord"]), await camp.machine("b", ["storm"])];
  const overlord = await openRelay(a, "overlord");
  const storm = await openRelay(b, "storm");
  const sent = await storm.call("send_message", { ...order("human", "8080?"), status: "blocked" });
  expect(sent.text).toContain("stored");
  await expect.poll(() => a.mail.countUnread("human"), soon).toBe(1);
  expect([b.mail.countUnread("human"), a.mail.countUnread("overlord")]).toEqual([0, 0]);
  const known = { waitsFor: "human", asked: sent.meta?.["id"] };
  await expect.poll(() => a.mail.away("storm"), soon).toMatchObject(known);
  expect(a.mail.claim("human").messages).toMatchObject([{ from: "storm", body: "8080?" }]);
  // Mail from anybody else is no answer.
  await overlord.call("send_message", order("storm", "not the answer"));
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(1);
  await storm.call("check_inbox");
  expect(b.mail.status("storm")).toMatchObject({ status: "blocked", waitsFor: "human" });
});

it("mail between roles of one machine does not need the hub", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const a = await camp.machine("a", ["overlord", "strategist"]);
  await camp.hub.kill();
  const overlord = await openRelay(a, "overlord");
  const began = performance.now();
  expect((await overlord.call("send_message", order("strategist", "one"))).text).toBe("stored");
  expect(performance.now() - began).toBeLessThan(await atMost(1_500));
  expect(a.mail.countUnread("strategist")).toBe(1);
  expect(a.mail.outbox()).toEqual([]);
});

it("while the link is cut, each message is kept within two seconds and its sender told so; all arrive once, in order", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const [a, b] = [await camp.machine("a", ["overlord"]), await camp.machine("b", ["storm", "glacier"])];
  const overlord = await openRelay(a, "overlord");
  const storm = await openRelay(b, "storm");
  await overlord.call("send_message", order("storm", "0"));
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(1);
  a.link.set("hole");
  for (const body of ["1", "2", "3"]) {
    const began = performance.now();
    const { json, meta } = await overlord.call("send_message", order("storm", body));
    expect(performance.now() - began).toBeLessThan(await atMost(3_000));
    expect(json).toMatchObject({ kept: true, why: expect.stringContaining("do not send it again") });
    expect(meta).toEqual({});
  }
  const everyone = await overlord.call("broadcast", { subject: "all", body: "4" });
  expect(everyone.json).toMatchObject({ stored: 0, kept: 5 });
  expect(a.mail.outbox()).toMatchObject([{ from: "overlord", count: 8 }]);
  a.link.set("open");
  await expect.poll(() => a.mail.outbox(), soon).toEqual([]);
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(5);
  const { json } = await storm.call("check_inbox");
  expect(json.map(({ body }: { body: string }) => body)).toEqual(["0", "1", "2", "3", "4"]);
});

it("a relay that ends in the middle of moving mail loses none, and none is in the inbox twice", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const [a, b] = [await camp.machine("a", ["overlord"]), await camp.machine("b", ["storm"])];
  const overlord = await openRelay(a, "overlord");
  const sent = Array.from({ length: 60 }, (_none, number) => String(number));
  let storm = await openRelay(b, "storm");
  const seen: string[] = [];
  for (const body of sent) {
    await overlord.call("send_message", order("storm", body));
    if (Number(body) % 15 !== 7) continue;
    process.kill(storm.pid, "SIGKILL");
    storm = await openRelay(b, "storm");
  }
  await expect
    .poll(async () => {
      const { json } = await storm.call("check_inbox");
      for (const { body, redelivered } of json) if (!redelivered || !seen.includes(body)) seen.push(body);
      return seen.length;
    }, soon)
    .toBe(60);
  expect(seen).toEqual(sent);
});

it("a second machine with the same role is refused with the name of the first; it neither gets nor sends its mail", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const a = await camp.machine("a", ["overlord"]);
  const [b, copy] = [
    await camp.machine("b", ["storm"]),
    await camp.machine("b", ["storm"], { instance: "copy-of-b" }),
  ];
  const overlord = await openRelay(a, "overlord");
  await openRelay(b, "storm");
  await expect.poll(() => a.mail.away("storm")?.machine, soon).toBe("b");
  const second = await openRelay(copy, "storm");
  await expect
    .poll(async () => (await second.call("send_message", order("overlord", "mine"))).text, soon)
    .toMatch(/^Not stored\. storm is already on another machine: b \(/);
  await overlord.call("send_message", order("storm", "for b"));
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(1);
  expect(copy.mail.countUnread("storm")).toBe(0);
});

it("every machine knows how the roles elsewhere are, and when a silent one was last heard of", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const [a, b] = [await camp.machine("a", ["overlord"]), await camp.machine("b", ["storm"])];
  const overlord = await openRelay(a, "overlord");
  const storm = await openRelay(b, "storm");
  await storm.call("update_status", { status: "working", task: "the hill" });
  const status = async () => (await overlord.call("get_status", { role: "storm" })).json;
  await expect.poll(status, soon).toMatchObject({ machine: "b", status: "working", task: "the hill" });
  b.link.set("cut");
  await expect
    .poll(status, { interval: 500 })
    .toMatchObject({ machine: "b", lastHeard: expect.any(String), agent: { state: "unknown" } });
  const { json } = await overlord.call("send_message", order("storm", "waits"));
  expect(json).toMatchObject({ stored: true, why: expect.stringContaining("its machine b was last heard") });
});

it("each machine has the journal of all, also what happened while its link was cut", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const [a, b] = [await camp.machine("a", ["overlord"]), await camp.machine("b", ["storm"])];
  const c = await camp.machine("c", ["glacier"]);
  const overlord = await openRelay(a, "overlord");
  const storm = await openRelay(b, "storm");
  await openRelay(c, "glacier");
  await expect.poll(() => c.mail.away("storm")?.machine, soon).toBe("b");
  b.link.set("cut");
  await storm.call("update_status", { status: "working", task: "alone" });
  await overlord.call("send_message", order("storm", "one"));
  b.link.set("open");
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(1);
  await storm.call("check_inbox");
  await storm.call("update_status", { status: "done", task: "read" });
  const events = (machine: typeof a) =>
    [...machine.mail.journal().next()]
      .filter(({ event }) => ["stored", "read", "status"].includes(event))
      .map(({ event, machine: where }) => `${event} ${where ?? "here"}`)
      .toSorted();
  await expect.poll(() => events(a), soon).toEqual(["read b", "status b", "status b", "stored here"]);
  await expect.poll(() => events(b), soon).toEqual(["read here", "status here", "status here", "stored a"]);
  await expect.poll(() => events(c), soon).toEqual(["read b", "status b", "status b", "stored a"]);
});

it("a machine with a newer ovld is refused with a sentence that says which one to update", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const a = await camp.machine("a", ["overlord"]);
  const overlord = await openRelay(a, "overlord");
  const newer = camp.hub.link(camp.hub.keys.storm.seed);
  await newer.whenUp(20_000);
  const news = {
    format: 2,
    machine: "b",
    host: "b",
    instance: "b",
    status: "idle",
    task: "",
    updated: null,
    unread: 0,
  };
  await askHub(newer, "$KV.board.presence.storm", { data: JSON.stringify(news), withinMs: 20_000 });
  await expect.poll(() => a.mail.away("storm")?.format, soon).toBe(2);
  const { text, isError } = await overlord.call("send_message", order("storm", "one"));
  expect([isError, text]).toEqual([
    true,
    "Not stored. The machine b has a newer ovld than this one (format 2, known here: 1). Update ovld on this machine.",
  ]);
});

it("an inbox that is full on its machine leaves mail at the hub, and takes it when there is room", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const [a, b] = [await camp.machine("a", ["overlord"]), await camp.machine("b", ["storm"])];
  const overlord = await openRelay(a, "overlord");
  const storm = await openRelay(b, "storm", { env: { OVLD_LIMITS: "unread=2" } });
  for (const body of ["1", "2", "3"]) await overlord.call("send_message", order("storm", body));
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(2);
  const bodies = async () => (await storm.call("check_inbox")).json.map(({ body }: { body: string }) => body);
  expect(await bodies()).toEqual(["1", "2"]);
  await expect.poll(bodies, soon).toEqual(["3"]);
});

it("mail that nobody can say comes from its sender's own relay arrives marked", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const b = await camp.machine("b", ["storm"]);
  b.mail.init();
  const storm = await openRelay(b, "storm", {
    env: { OVLD_SECRET: "secret", OVLD_ZELLIJ: "/bin/false" },
  });
  const overlord = camp.hub.link(camp.hub.keys.overlord.seed);
  await overlord.whenUp(20_000);
  const letter = { from: "human", to: "storm", subject: "s", priority: "normal", timestamp: new Date() };
  const send = (more: object) =>
    askHub(overlord, "inbox.storm.overlord", {
      data: JSON.stringify({ ...letter, ...more }),
      withinMs: 20_000,
    });
  await send({ body: "plain" });
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(1);
  const { json } = await storm.call("check_inbox");
  expect(json).toMatchObject([{ from: "overlord", body: "plain" }]);
});

it("a hub that is lost while agents work: mail waits where it was sent, survives its sender, and arrives once", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const [a, b] = [await camp.machine("a", ["overlord", "strategist"]), await camp.machine("b", ["storm"])];
  const overlord = await openRelay(a, "overlord");
  const storm = await openRelay(b, "storm");
  await overlord.call("send_message", order("storm", "before"));
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(1);
  await camp.hub.kill();
  expect((await overlord.call("send_message", order("storm", "during"))).json).toMatchObject({ kept: true });
  await expect.poll(() => a.mail.connection(), soon).toMatchObject({ isUp: false, why: expect.any(String) });
  process.kill(overlord.pid, "SIGKILL");
  await camp.hub.start();
  // Its sender is gone; another relay of the machine passes it on.
  await openRelay(a, "strategist");
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(2);
  const { json } = await storm.call("check_inbox");
  expect(json.map(({ body }: { body: string }) => body)).toEqual(["before", "during"]);
  await expect.poll(() => a.mail.outbox(), soon).toEqual([]);
  await expect.poll(() => a.mail.connection()?.isUp, soon).toBe(true);
});

it("a machine that was away finds its mail when it is back, in order, however much came and from all senders", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const a = await camp.machine("a", ["overlord", "strategist"]);
  const b = await camp.machine("b", ["storm"]);
  const first = await openRelay(b, "storm");
  await expect.poll(() => b.mail.connection()?.isUp, soon).toBe(true);
  process.kill(first.pid, "SIGKILL");
  const [overlord, strategist] = [await openRelay(a, "overlord"), await openRelay(a, "strategist")];
  for (let number = 0; number < 20; number += 1) {
    await overlord.call("send_message", order("storm", `overlord ${number}`));
    await strategist.call("send_message", order("storm", `strategist ${number}`));
  }
  expect(b.mail.countUnread("storm")).toBe(0);
  const storm = await openRelay(b, "storm");
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(40);
  const { json } = await storm.call("check_inbox");
  const expected = Array.from({ length: 20 }, (_none, number) => [
    `overlord ${number}`,
    `strategist ${number}`,
  ]);
  expect(json.map(({ body }: { body: string }) => body)).toEqual(expected.flat());
  expect(json.some(({ redelivered }: { redelivered?: boolean }) => redelivered)).toBe(false);
});

it("a message that is too long is refused with the limit, before it reaches the hub", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const a = await camp.machine("a", ["overlord"]);
  const overlord = await openRelay(a, "overlord");
  const { text, isError } = await overlord.call("send_message", order("storm", "x".repeat(70_000)));
  expect([isError, text]).toEqual([true, expect.stringMatching(/^Not stored\. .*65536/)]);
  expect(a.mail.outbox()).toEqual([]);
});

it("a key that another client made up cannot name a file outside the inbox", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const b = await camp.machine("b", ["storm"]);
  const storm = await openRelay(b, "storm");
  const hostile = camp.hub.link(camp.hub.keys.inferno.seed);
  await hostile.whenUp(20_000);
  const letter = { from: "inferno", to: "storm", subject: "s", priority: "normal", timestamp: new Date() };
  for (const key of ["../../../../x", "/../..", "a/b/c/d/e/f"]) {
    const data = JSON.stringify({ ...letter, body: key });
    await askHub(hostile, "inbox.storm.inferno", { data, headers: { "Nats-Msg-Id": key }, withinMs: 20_000 });
  }
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(3);
  const { json } = await storm.call("check_inbox");
  for (const { id } of json) expect(id).toMatch(/^[0-9a-z]{12}-[0-9a-z]{6}$/);
  expect(json.map(({ body }: { body: string }) => body)).toEqual(["../../../../x", "/../..", "a/b/c/d/e/f"]);
});

it("a role that is given to another machine while the army runs gets its mail there", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const a = await camp.machine("a", ["overlord", "storm"]);
  const overlord = await openRelay(a, "overlord");
  expect((await overlord.call("send_message", order("storm", "here"))).meta?.["id"]).not.toMatch(/^0{6}/);
  // The same folder, with a file that has one role less.
  await camp.machine("a", ["overlord"], { link: a.link });
  expect((await overlord.call("send_message", order("storm", "there"))).meta?.["id"]).toMatch(/^0{6}/);
  const b = await camp.machine("b", ["storm"]);
  await openRelay(b, "storm");
  await expect.poll(() => b.mail.countUnread("storm"), soon).toBe(1);
});
