/** A machine that was taken over: it has the keys of inferno and of the person, and speaks to the hub itself. */
import {
  headers as createHeaders,
  MsgHdrsImpl,
  type MsgHdrs,
  type NatsConnection,
} from "@nats-io/transport-node";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeBoard } from "../../../src/machines/carrier/board.ts";
import { readKeys, sayKeys } from "../../../src/machines/server/join-hub.ts";
import { makeNkey, readSeed } from "../../../src/machines/nkey.ts";
import { makeCamp, openRelay, type Camp } from "../../support/camp.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

async function intrude(camp: Camp, user: "inferno" | "human" = "inferno"): Promise<NatsConnection> {
  const connection = await camp.hub.link(camp.hub.keys[user].seed).whenUp(20_000);
  if (connection === undefined) throw new Error("not connected");
  return connection;
}

function headersOf(pairs: Record<string, string>, code?: number): MsgHdrs {
  const made = code === undefined ? createHeaders() : createHeaders(code, "x");
  for (const [name, value] of Object.entries(pairs)) made.set(name, value);
  return made;
}

function mailText(body: string): string {
  const timestamp = new Date().toISOString();
  return JSON.stringify({
    from: "inferno",
    to: "overlord",
    subject: "s",
    body,
    priority: "normal",
    timestamp,
  });
}

it("no message can keep the mail behind it from being read: not by its key, not by headers, and not as an answer of the hub", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const intruder = await intrude(camp);
  for (let count = 0; count < 6; count += 1) {
    const key = `${count}${"k".repeat(60_000)}`;
    await intruder.request("inbox.overlord.inferno", mailText(`long key ${count}`), {
      headers: headersOf({ "Nats-Msg-Id": key }),
      timeout: 20_000,
    });
  }
  for (const code of [100, 404, 409, 503]) {
    await intruder.request("inbox.overlord.inferno", "", {
      headers: headersOf({ "Nats-Pending-Messages": "1" }, code),
      timeout: 20_000,
    });
  }
  // No client would send such headers, and none can read them.
  for (const name of ["no name", "Nats-Sequence"]) {
    const headers = MsgHdrsImpl.fromRecord({ [name]: ["1"], "Nats-Subject": ["inbox.overlord.storm"] });
    await intruder.request("inbox.overlord.inferno", "", { headers, timeout: 20_000 });
    await intruder.request("inbox.overlord.inferno", "rubbish", { headers, timeout: 20_000 });
  }
  const a = await camp.machine("a", ["overlord"]);
  const b = await camp.machine("b", ["storm"]);
  const overlord = await openRelay(a, "overlord");
  const storm = await openRelay(b, "storm");
  await storm.call("send_message", { to: "overlord", subject: "order", body: "honest" });
  await expect.poll(() => a.mail.countUnread("overlord"), soon).toBe(7);
  const { json } = await overlord.call("check_inbox");
  expect(json.map(({ body }: { body: string }) => body)).toContain("honest");
});

it("rubbish from a machine neither fills the disk of another nor stops its mail", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const intruder = await intrude(camp);
  const a = await camp.machine("a", ["overlord"]);
  const b = await camp.machine("b", ["storm"]);
  await openRelay(a, "overlord");
  const storm = await openRelay(b, "storm");
  for (let count = 0; count < 1_500; count += 1) intruder.publish("inbox.overlord.inferno", "rubbish");
  await intruder.flush();
  // While its inbox is full of it, mail is refused.
  const send = () => storm.call("send_message", { to: "overlord", subject: "order", body: "honest" });
  await expect.poll(async () => (await send()).text, soon).not.toContain("Not stored");
  await expect.poll(() => a.mail.countUnread("overlord"), soon).toBe(1);
  expect(readdirSync(join(a.relayDir, "hub", "quarantine")).length).toBeLessThanOrEqual(500);
});

it("what a machine says about its role is short, and it adds only lines about its own roles to another's journal", async () => {
  await using sandbox = makeSandbox();
  const camp = await makeCamp(sandbox);
  const intruder = await intrude(camp);
  const a = await camp.machine("a", ["overlord"]);
  const overlord = await openRelay(a, "overlord");
  await expect.poll(() => a.mail.connection()?.isUp, soon).toBe(true);
  await expect.poll(() => readdirSync(join(a.relayDir, "hub")), soon).toContain("journal-carried");
  const news = {
    format: 1,
    machine: `evil\u001B[31m${"m".repeat(100_000)}`,
    host: "h".repeat(10_000),
    instance: "evil",
    status: "working",
    task: `\u001B[2Jtask ${"t".repeat(100_000)}`,
    updated: null,
    unread: 5,
  };
  await intruder.request("$KV.board.presence.inferno", JSON.stringify(news));
  await expect.poll(() => a.mail.away("inferno")?.machine ?? "", soon).toMatch(/^evil/);
  expect(JSON.stringify(a.mail.away("inferno")).length).toBeLessThan(3_000);
  const { text } = await overlord.call("get_status");
  expect(text.length).toBeLessThan(5_000);

  const at = new Date().toISOString();
  const forged = [
    { at, event: "ended", how: "unsummoned", machine: "evil" },
    { at, event: "dropped", what: "journal", files: 1, bytes: 1, machine: "evil" },
    { at, event: "returned", ended: at, how: "crashed", machine: "evil" },
    { at, event: "read", role: "overlord", id: "x", machine: "evil" },
    { at, event: "status", role: "inferno", status: "done", task: "genuine", machine: "evil" },
  ];
  for (const line of forged) {
    const headers = headersOf({ "Nats-Subject": "journal.overlord" });
    await intruder.request("journal.inferno", JSON.stringify(line), { headers, timeout: 20_000 });
  }
  const journal = () => readFileSync(join(a.relayDir, "journal.jsonl"), "utf8");
  await expect.poll(journal, soon).toContain("genuine");
  expect(journal()).not.toMatch(/"event":"(ended|dropped|returned|read)"/);
});

const keysWith = (inferno: string) => ({ inferno, human: makeNkey().public });

it("the keys of a machine that joins are believed only if the join file's own key has signed them", async () => {
  await using sandbox = makeSandbox();
  const { hub } = await makeCamp(sandbox);
  const [admin, human] = [hub.link(hub.admin.seed), hub.link(hub.keys.human.seed)];
  await Promise.all([admin.whenUp(20_000), human.whenUp(20_000)]);
  const [file, thief] = [makeNkey(), makeNkey()];
  expect(await readKeys(admin, file.public)).toBe("none");
  const forged = JSON.stringify({ keys: keysWith(thief.public), proof: readSeed(thief.seed)?.sign("x") });
  await writeBoard(human, { kind: `joined-${file.public}`, user: "human", text: forged });
  expect(await readKeys(admin, file.public)).toBe("none");

  const [other, own] = [makeNkey(), keysWith(makeNkey().public)];
  expect(await sayKeys(human, other.seed, own)).toBe("said");
  expect(await sayKeys(human, other.seed, own)).toBe("said");
  expect(await sayKeys(human, other.seed, keysWith(thief.public))).toBe("used-by-another");
  expect(await readKeys(admin, other.public)).toEqual(own);
});
