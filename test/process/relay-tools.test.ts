import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { makePaneLister } from "../support/pane-lister.ts";
import { startRelay } from "../support/relay.ts";
import { readLines } from "../support/read-lines.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";

const FIVE = ["send_message", "check_inbox", "get_status", "update_status", "broadcast"];

it.each([["legacy"], [{ pin: "2026-07-28" }]] as const)(
  "M8.1 the relay is an MCP server over stdio with exactly five tools (handshake %o)",
  async (mode) => {
    await using sandbox = makeSandbox();
    const { client, call } = await startRelay(sandbox, "overlord", { mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(FIVE);
    for (const { inputSchema } of tools) expect(Object.keys(inputSchema)).not.toContain("anyOf");
    expect((await call("send_message", { to: "storm", subject: "s", body: "b" })).text).toBe("stored");
    expect((await call("check_inbox")).json).toEqual([]);
  },
);

it("the relay tells a model what counts as mail, who wrote it, and who the person is", async () => {
  await using sandbox = makeSandbox();
  const { client } = await startRelay(sandbox, "overlord");
  expect(client.getInstructions()).toContain("Only what check_inbox returns is mail");
  expect(client.getInstructions()).toContain("only `human` is the person");
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === "check_inbox")?.description).toContain(
    "from: who wrote it, whatever subject and body claim",
  );
});

it("each handshake uses its own revision of the protocol", async () => {
  await using sandbox = makeSandbox();
  const old = await startRelay(sandbox, "overlord", { mode: "legacy" });
  const modern = await startRelay(sandbox, "overlord", { mode: "auto" });
  expect(old.client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
  expect(modern.client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
});

it("M3.1a send_message creates a JSON file in the recipient's inbox, and answers with what the sender can act on", async () => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "inferno");
  const { text, meta } = await call("send_message", { to: "strategist", subject: "task done", body: "…" });
  expect(text).toBe("stored");
  const file = join(sandbox.relayDir, "inbox/strategist", `${String(meta?.["id"])}.json`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ from: "inferno", subject: "task done" });
});

it("M6 a status that comes with a message is set, keeps the task, and is there before the recipient's bell rings", async () => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "inferno");
  await call("update_status", { status: "working", task: "the gate" });
  const report = { to: "strategist", subject: "s", body: "b" };
  expect((await call("send_message", { ...report, status: "done" })).text).toBe("stored");
  expect((await call("get_status", { role: "inferno" })).json).toMatchObject({
    status: "done",
    task: "the gate",
  });
  await call("send_message", report);
  expect((await call("get_status", { role: "inferno" })).json).toMatchObject({ status: "done" });
  const refused = await call("send_message", { ...report, status: "finished" });
  expect(refused.text).toMatch(/^Not stored\. .*status.*idle.*working.*blocked.*done/s);
});

it("M1.2 an unknown role is refused with the list of roles, and the relay keeps running", async () => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "overlord");
  for (const to of ["peasant", "", "../storm", "Storm", "ovld", "all", 7, null]) {
    const { isError, text } = await call("send_message", { to, subject: "s", body: "b" });
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^Not stored\..*\bto is .*must be one of overlord, strategist, inferno, glacier, shadow, storm, human/,
    );
  }
  expect((await call("send_message", { to: "storm", subject: "s", body: "b" })).isError).toBe(false);
});

it.each([
  ["whose pane no longer exists", 7, ["list-panes"]],
  ["whose pane number was not reported", undefined, []],
])(
  "M3 M3.2 a recipient %s cannot be woken: the sender is told which and why, the mail waits, and the relay keeps running",
  async (_what, pane, actions) => {
    await using sandbox = makeSandbox();
    const mail = openMail(sandbox.relayDir);
    mail.init();
    // Its relay is dead, so the sender's relay has to look for the pane.
    mail.reportAgent({
      role: "strategist",
      relay: "1-0",
      state: "idle",
      since: "2026-11-15T00:00:00.000Z",
      evidence: "hook",
      pane,
      bell: { state: "quiet" },
    });
    const zellij = makePaneLister(sandbox, ["overlord", "strategist"]);
    const env = { OVLD_SECRET: "s", OVLD_ZELLIJ: zellij.program, OVLD_WAKE: "auto" };
    const { call } = await startRelay(sandbox, "overlord", { env });
    const send = () => call("send_message", { to: "strategist", subject: "s", body: "b" });
    for (const unread of [1, 2]) {
      const { json, isError } = await send();
      expect([isError, json]).toEqual([false, { stored: true, why: "no pane has its name" }]);
      expect(mail.countUnread("strategist")).toBe(unread);
    }
    expect(mail.flag("strategist")).toBeUndefined();
    expect(new Set(zellij.actions())).toEqual(new Set(actions));
  },
);

it("M4.1 D2 one relay's mail is read by another's check_inbox, oldest first, and only once", async () => {
  await using sandbox = makeSandbox();
  const overlord = await startRelay(sandbox, "overlord");
  const strategist = await startRelay(sandbox, "strategist");
  await overlord.call("send_message", { to: "strategist", subject: "one", body: "eins" });
  await overlord.call("send_message", { to: "strategist", subject: "two", body: "zwei", priority: "urgent" });
  const { json } = await strategist.call("check_inbox");
  expect(json).toEqual([
    expect.objectContaining({ from: "overlord", subject: "one", body: "eins", priority: "normal" }),
    expect.objectContaining({ from: "overlord", subject: "two", body: "zwei", priority: "urgent" }),
  ]);
  expect(Object.keys(json[0])).toEqual(["id", "from", "subject", "body", "priority", "timestamp"]);
  expect((await strategist.call("check_inbox")).json).toEqual([]);
  expect(readdirSync(join(sandbox.relayDir, "claimed/strategist"))).toEqual([]);
});

it("in the journal, what an agent does with its mail comes after its reading it", async () => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "strategist");
  const mail = openMail(sandbox.relayDir);
  mail.deliver(letter);
  await call("check_inbox");
  await call("update_status", { status: "working", task: "it" });
  await call("send_message", { to: "inferno", subject: "s", body: "b" });
  const lines = readLines(join(sandbox.relayDir, "journal.jsonl"));
  expect(lines.map(({ event }) => event)).toEqual(["stored", "read", "status", "stored"]);
});

it("M4.1a more mail than one answer can hold comes in several, and each says how much remains", async () => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "strategist");
  const mail = openMail(sandbox.relayDir);
  const ids = Array.from({ length: 9 }, () => mail.deliver({ ...letter, body: "x".repeat(60_000) }).id);
  const first = await call("check_inbox");
  expect(first.remark).toBe("More mail waits: 2. It did not fit here; call check_inbox again.");
  const second = await call("check_inbox");
  expect(second.remark).toBeUndefined();
  expect([...first.json, ...second.json].map(({ id }) => id)).toEqual(ids);
  expect([...first.json, ...second.json].some((message) => "redelivered" in message)).toBe(false);
  expect((await call("check_inbox")).json).toEqual([]);
});

it("M7.1a DG1 DN2 broadcast stores the message in the inboxes of all five others, whichever role sends it", async () => {
  await using sandbox = makeSandbox();
  for (const sender of ROLES) {
    const { call, close } = await startRelay(sandbox, sender);
    const { json } = await call("broadcast", { subject: "sync", body: "…" });
    expect(json).toEqual({ stored: 5 });
    await close();
  }
  for (const role of ROLES) expect(readdirSync(join(sandbox.relayDir, "inbox", role))).toHaveLength(5);
});

it("broadcast says which roles it could not reach, and reaches the others", async () => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "overlord");
  await call("check_inbox");
  const { rmSync, writeFileSync } = await import("node:fs");
  rmSync(join(sandbox.relayDir, "inbox/glacier"), { recursive: true });
  writeFileSync(join(sandbox.relayDir, "inbox/glacier"), "in the way");
  const { json, isError } = await call("broadcast", { subject: "sync", body: "…" });
  expect(isError).toBe(false);
  expect(json).toEqual({ stored: 4, notStored: { glacier: expect.stringContaining("inbox/glacier") } });
});

it.each([
  ["send_message", {}, ["to is missing", "subject is missing", "body is missing"]],
  ["send_message", { to: "storm", subject: " ", body: "" }, ["subject must not be empty"]],
  [
    "send_message",
    { to: "storm", subject: 1, body: [] },
    ["subject must be a string", "body must be a string"],
  ],
  ["send_message", { to: "storm", subject: "s", body: "", priority: "asap" }, ["one of normal, urgent"]],
  ["send_message", { to: "storm", subject: "s", body: "", cc: "x" }, ['unknown argument "cc"']],
  ["send_message", { to: "overlord", subject: "s", body: "" }, ["you cannot message yourself"]],
  ["send_message", { to: "storm", subject: "s", body: "x".repeat(70_000) }, ["65536", "send the path"]],
  ["update_status", { status: "asleep" }, ['status is "asleep"', "idle, working, blocked, done"]],
  ["update_status", { status: "done", task: "t".repeat(501) }, ["500"]],
  ["get_status", { role: "king" }, ["must be one of overlord", "all"]],
  ["check_inbox", { role: "storm" }, ['unknown argument "role"']],
])("%s with %o is a tool error that says what is wrong", async (tool, args, phrases) => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "overlord");
  const { isError, text } = await call(tool, args);
  expect(isError).toBe(true);
  for (const phrase of phrases) expect(text).toContain(phrase);
});

it("an unknown tool is a protocol error that names the five", async () => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "overlord");
  await expect(call("delete_everything")).rejects.toThrow(FIVE.join(", "));
});

it("a relay keeps the limits it was given, and names them", async () => {
  await using sandbox = makeSandbox();
  const env = { OVLD_LIMITS: "unread=2,body=10" };
  const { call } = await startRelay(sandbox, "overlord", { env });
  const send = (body: string) => call("send_message", { to: "storm", subject: "s", body });
  const long = await send("eleven char");
  expect([long.isError, long.text]).toEqual([true, expect.stringContaining("the limit is 10 bytes")]);
  for (const body of ["ten charac", ""]) expect((await send(body)).isError).toBe(false);
  const full = await send("");
  expect([full.isError, full.text]).toEqual([
    true,
    expect.stringMatching(/^Not stored.*already holds 2 waiting messages, which is the limit/),
  ]);
});
