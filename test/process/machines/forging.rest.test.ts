import { createInbox, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROLES } from "../../../src/army/roles.ts";
import { askHub, type Link } from "../../../src/machines/carrier/link.ts";
import { BOARD, CALLS, inboxStream, JOURNAL, OWN_NAMES } from "../../../src/machines/carrier/subjects.ts";
import { startHub, type TestHub } from "../../support/nats.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";

let sandbox: Sandbox;
let hub: TestHub;
/** The forger has the keys of inferno, and nothing else. */
let inferno: Link;
let forger: NatsConnection;
let admin: Link;

beforeAll(async () => {
  sandbox = makeSandbox();
  hub = await startHub(sandbox);
  inferno = hub.link(hub.keys.inferno.seed);
  admin = hub.link(hub.admin.seed);
  forger = await up(inferno);
  await up(admin);
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
});

async function up(link: Link): Promise<NatsConnection> {
  const connection = await link.whenUp(20_000);
  if (connection === undefined) throw new Error("not connected");
  return connection;
}

/** How many messages each stream has, by subject. */
async function everything(): Promise<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const stream of [...ROLES.map(inboxStream), BOARD, JOURNAL]) {
    const data = JSON.stringify({ subjects_filter: ">" });
    const got = await askHub(admin, `$JS.API.STREAM.INFO.${stream}`, { data, withinMs: 20_000 });
    if ("silence" in got) throw new Error(got.silence);
    Object.assign(all, got.message.json<{ state: { subjects?: object } }>().state.subjects ?? {});
  }
  return all;
}

const put = (link: Link, subject: string, data = "x", headers: Record<string, string> = {}) =>
  askHub(link, subject, { data, headers, withinMs: 20_000 });

/** Whatever of the forger's can arrive has arrived once its own message has. */
async function settled(): Promise<void> {
  await forger.flush();
  const id = createInbox().slice(-8);
  const got = await put(inferno, "inbox.glacier.inferno", "last", { "Nats-Msg-Id": id });
  expect(got).toHaveProperty("message");
}

it("a role's own mail, status and journal are stored, and the recipient hears of it", async () => {
  const glacier = await up(hub.link(hub.keys.glacier.seed));
  const arrived = glacier.subscribe("arrived.glacier.*", { max: 1 });
  await glacier.flush();
  const before = await everything();
  for (const subject of ["inbox.glacier.inferno", "$KV.board.presence.inferno", "journal.inferno"]) {
    const got = await put(inferno, subject);
    expect("message" in got && got.message.json()).toMatchObject({ seq: expect.any(Number) });
  }
  for await (const news of arrived) {
    expect(news.subject).toBe("arrived.glacier.inferno");
    expect(news.data).toHaveLength(0);
  }
  const after = await everything();
  expect(after["inbox.glacier.inferno"]).toBe((before["inbox.glacier.inferno"] ?? 0) + 1);
  expect(after["$KV.board.presence.inferno"]).toBe(1);
});

it.each([
  ["another's name", "inbox.strategist.overlord"],
  ["the person's name", "inbox.strategist.human"],
  ["ovld's name, to another role", "inbox.strategist.ovld"],
  ["another's status", "$KV.board.presence.overlord"],
  ["another's note of handed-over mail", "$KV.board.handed.overlord"],
  ["another's journal", "journal.overlord"],
  ["news of mail", "arrived.strategist.overlord"],
  ["news of the board", "board.presence.overlord"],
])("mail in %s is refused: nobody gets it", async (_what, subject) => {
  const before = await everything();
  expect(await put(inferno, subject)).toEqual({ silence: "no-responders" });
  forger.publish(subject, "x");
  await settled();
  const { "inbox.glacier.inferno": _own, ...after } = await everything();
  const { "inbox.glacier.inferno": _before, ...same } = before;
  expect(after).toEqual(same);
});

it.each([
  ["another's mail", CALLS.mail("strategist"), JSON.stringify({ batch: 1, seq: 1 })],
  ["deleting another's mail", CALLS.remove("strategist"), JSON.stringify({ seq: 1 })],
  ["emptying an inbox", "$JS.API.STREAM.PURGE.INBOX_strategist", ""],
  ["deleting an inbox", "$JS.API.STREAM.DELETE.INBOX_inferno", ""],
  ["a consumer", "$JS.API.CONSUMER.CREATE.INBOX_inferno", "{}"],
  ["a look into another's inbox", "$JS.API.STREAM.INFO.INBOX_strategist", ""],
  ["a message by its number", "$JS.API.DIRECT.GET.INBOX_strategist", JSON.stringify({ seq: 1 })],
  ["the journal", OWN_NAMES.journal, JSON.stringify({ seq: 1 })],
])("a role cannot reach %s", async (_what, subject, data) => {
  await askHub(hubLink("overlord"), "inbox.strategist.overlord", { data: "secret", withinMs: 20_000 });
  const before = await everything();
  const got = await put(inferno, subject, data);
  // The server answers some calls for the role's own account, which has no streams.
  const answer = "message" in got ? got.message.json<{ error?: object }>() : { error: got };
  expect(answer).toHaveProperty("error");
  expect(await everything()).toEqual(before);
});

const links = new Map<string, Link>();
function hubLink(user: "overlord"): Link {
  const link = links.get(user) ?? hub.link(hub.keys[user].seed);
  links.set(user, link);
  return link;
}

const TARGETS = [
  "inbox.strategist.overlord",
  "inbox.inferno.overlord",
  "$KV.board.presence.overlord",
  "journal.overlord",
  "arrived.strategist.overlord",
  "board.presence.overlord",
];
const DEPUTIES: [string, string][] = [
  [CALLS.board("presence", "inferno"), ""],
  ["inbox.glacier.inferno", "FORGED"],
  [OWN_NAMES.inbox, ""],
  [OWN_NAMES.mail, JSON.stringify({ batch: 10, seq: 1 })],
  [OWN_NAMES.remove, JSON.stringify({ seq: 1_000_000 })],
];

it("no reply subject makes the server itself write mail, a status or a journal line in another's name", async () => {
  await up(hubLink("overlord"));
  await put(inferno, "$KV.board.presence.inferno", "FORGED");
  await put(hubLink("overlord"), "inbox.inferno.overlord", "real");
  const victim = await up(hub.link(hub.keys.strategist.seed));
  const seen: string[] = [];
  victim.subscribe(">", { callback: (_error, message) => void seen.push(message.subject) });
  await victim.flush();
  const before = await everything();
  for (const reply of TARGETS) {
    for (const [subject, data] of DEPUTIES) forger.publish(subject, data, { reply });
  }
  await settled();
  const { "inbox.glacier.inferno": _own, ...after } = await everything();
  const { "inbox.glacier.inferno": _before, ...same } = before;
  expect(after).toEqual(same);
  await victim.flush();
  expect(seen.filter((subject) => !subject.startsWith("board.presence.inferno"))).toEqual([]);
});

it("a message trace goes nowhere but to its own account", async () => {
  const before = await everything();
  const headers = { "Nats-Trace-Dest": "inbox.strategist.overlord" };
  await put(inferno, "inbox.glacier.inferno", "traced", headers);
  await settled();
  const { "inbox.glacier.inferno": _own, ...after } = await everything();
  const { "inbox.glacier.inferno": _before, ...same } = before;
  expect(after).toEqual(same);
});

it("a role hears no other role's bell, and cannot read the journal's news", async () => {
  const seen: string[] = [];
  forger.subscribe(">", { callback: (_error, message) => void seen.push(message.subject) });
  await forger.flush();
  await put(hubLink("overlord"), "inbox.strategist.overlord", "private");
  await put(hubLink("overlord"), "journal.overlord", "private");
  await put(hubLink("overlord"), "$KV.board.presence.overlord", "public");
  await expect.poll(() => seen).toContain("board.presence.overlord");
  expect(seen.filter((subject) => /^(arrived|happened|inbox|journal)/.test(subject))).toEqual([]);
});

it("a made-up key is refused, and so is garbage on the port", async () => {
  const { makeNkey } = await import("../../../src/machines/nkey.ts");
  const stranger = hub.link(makeNkey().seed);
  await expect.poll(() => stranger.down()?.isRefused).toBe(true);
  expect(stranger.up()).toBeUndefined();
  const { connect } = await import("node:net");
  const socket = connect(hub.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("\u0000\u0001 GET / HTTP/1.1\r\n\r\nPUB inbox.strategist.overlord 1\r\nx\r\n");
  await new Promise((resolve) => socket.on("close", resolve).resume());
  expect(await put(inferno, "inbox.glacier.inferno")).toHaveProperty("message");
});

it("a role cannot clear the board, not even by a header of the server's own", async () => {
  const glacier = hub.link(hub.keys.glacier.seed);
  await up(glacier);
  expect(await put(glacier, "$KV.board.handed.glacier", "note")).toHaveProperty("message");
  for (const rollup of ["all", "sub"]) {
    await put(inferno, "$KV.board.presence.inferno", "x", { "Nats-Rollup": rollup });
  }
  const got = await askHub(inferno, CALLS.board("handed", "glacier"), { withinMs: 20_000 });
  expect("message" in got && got.message.string()).toBe("note");
});
