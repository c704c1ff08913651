import { expect, it } from "vitest";
import { HOOK_TOOL } from "../../../src/agent/hook-call.ts";
import { otherRoles } from "../../../src/army/roles.ts";
import { createTools } from "../../../src/relay/tools/mail-tools.ts";
import type { ToolContext } from "../../../src/relay/tools/tool.ts";
import { openPost } from "../../../src/mail/other-machines.ts";
import { makeCall } from "../../support/relay-call.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";
import { TEXTS } from "../../support/texts.ts";

function open(store: StoreFixture) {
  const happened: string[] = [];
  const context: ToolContext = {
    role: "strategist",
    mail: store.mail,
    isHere: () => true,
    post: openPost(store.mail, undefined),
    awaitBellOutcome: () => Promise.resolve({ state: "rung", way: "socket" }),
    texts: () => TEXTS.en,
    delivery: { confirmAll: () => happened.push("confirmed") },
    onAsked: () => happened.push("asked"),
  };
  const agent = { onListed: () => happened.push("listed"), onHook: () => ({ result: { hook: true } }) };
  const server = createTools(context, agent);
  const call = async (name: string, input: object = {}) => {
    const made = makeCall();
    const answer = await server.callTool(name, input, made);
    const { content, isError }: any = answer?.result ?? {};
    return { isError, text: content[0].text, type: content[0].type, onArrival: made.fate?.onArrival };
  };
  return { server, happened, call };
}

it("creating a relay's tools does nothing; listing them starts the agent's session", async () => {
  await using store = makeStore();
  const { server, happened } = open(store);
  expect(happened).toEqual([]);
  server.listTools();
  expect(happened).toEqual(["listed"]);
});

it("every tool has a description, and a schema that accepts no other arguments", async () => {
  await using store = makeStore();
  const { server } = open(store);
  const tools: any[] = server.listTools();
  expect(tools.map(({ name }) => name)).toEqual(server.toolNames);
  for (const { description, inputSchema } of tools) {
    expect(description).toMatch(/^[A-Z].{20,}\.$/);
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(inputSchema).not.toHaveProperty("$schema");
  }
  expect(tools.map(({ inputSchema }) => [Object.keys(inputSchema.properties), inputSchema.required])).toEqual(
    [
      [
        ["to", "subject", "body", "priority", "status"],
        ["to", "subject", "body"],
      ],
      [[], undefined],
      [["role"], undefined],
      [["status", "task", "waits_for"], ["status"]],
      [
        ["subject", "body", "priority"],
        ["subject", "body"],
      ],
    ],
  );
  expect(tools.flatMap(({ name, _meta }) => (_meta ? [[name, _meta]] : []))).toEqual([
    ["check_inbox", { "anthropic/maxResultSizeChars": 500_000 }],
  ]);
});

it("check_inbox confirms the previous answer, informs the bell, and forgets mail only on arrival", async () => {
  await using store = makeStore();
  store.send({ subject: "s" });
  const { call, happened } = open(store);
  const first = await call("check_inbox");
  expect(happened).toEqual(["confirmed", "asked"]);
  expect([first.isError, first.type, JSON.parse(first.text)]).toMatchObject([
    undefined,
    "text",
    [{ subject: "s" }],
  ]);
  expect(JSON.parse(first.text)[0]).not.toHaveProperty("redelivered");
  const again = await call("check_inbox");
  expect(JSON.parse(again.text)).toMatchObject([{ subject: "s", redelivered: true }]);
  again.onArrival?.();
  expect((await call("check_inbox")).text).toBe("[]");
});

it("mail is normal unless it is urgent, and a status without a task has none", async () => {
  await using store = makeStore();
  const { call } = open(store);
  await call("send_message", { to: "storm", subject: "s", body: "b" });
  await call("send_message", { to: "storm", subject: "s", body: "b", priority: "urgent" });
  expect(store.mail.claim("storm").messages.map(({ priority }) => priority)).toEqual(["normal", "urgent"]);
  expect((await call("update_status", { status: "done" })).text).toBe("ok");
  expect(store.mail.peekStatus("strategist")).toMatchObject({ status: "done", task: "" });
});

it("a broadcast that reached nobody is a failure, one that reached somebody is not", async () => {
  await using store = makeStore();
  const { call } = open(store);
  const long = { subject: "s", body: "x".repeat(70_000) };
  const failed = await call("broadcast", long);
  expect(failed.isError).toBe(true);
  const { stored, notStored } = JSON.parse(failed.text);
  expect([stored, Object.keys(notStored)]).toEqual([0, otherRoles("strategist")]);
  expect(notStored.overlord).toContain("65536");
  expect((await call("broadcast", { subject: "s", body: "b" })).isError).toBe(undefined);
});

it.each([
  ["send_message", { to: "storm" }, "Not stored. "],
  ["broadcast", {}, "Not stored. "],
  ["update_status", {}, ""],
  ["get_status", { role: 7 }, ""],
])("%s with wrong arguments fails with a sentence that begins %o", async (tool, input, beginning) => {
  await using store = makeStore();
  const { call } = open(store);
  const { isError, text } = await call(tool, input);
  expect(isError).toBe(true);
  expect(text.startsWith("Not stored. ") ? "Not stored. " : "").toBe(beginning);
});

it.each<[object, string[]]>([
  [{ to: "storm", subject: "s" }, ["body is missing"]],
  [{ subject: "s", body: "b" }, ["to is missing, must be one of overlord, strategist"]],
  [{ to: "king", subject: "s", body: "b" }, ['to is "king", must be one of overlord']],
  [{ to: { a: 1 }, subject: "s", body: "b" }, ['to is "{"a":1}"']],
  [{ to: "k".repeat(61), subject: "s", body: "b" }, [`to is "${"k".repeat(60)}…"`]],
  [{ to: "k".repeat(60), subject: "s", body: "b" }, [`to is "${"k".repeat(60)}"`]],
  [{ to: "\u001bk", subject: "s", body: "b" }, ['to is "\u{FFFD}k"']],
  [{ to: "storm", subject: " ", body: "b" }, ["subject must not be empty"]],
  [{ to: "storm", subject: "s", body: 1 }, ["body must be a string"]],
  [{ to: "storm", subject: "s", body: "b", cc: 1, bcc: 2 }, ['unknown argument "cc", "bcc"']],
])("the error for %o says what is wrong: %o", async (input, phrases) => {
  await using store = makeStore();
  const { text } = await open(store).call("send_message", input);
  for (const phrase of phrases) expect(text).toContain(phrase);
});

it("the hooks' tool is answered but not listed; an unknown one does not exist", async () => {
  await using store = makeStore();
  const { server } = open(store);
  expect(server.callTool("burn", {}, makeCall())).toBe(undefined);
  expect(await server.callTool(HOOK_TOOL, {}, makeCall())).toEqual({ result: { hook: true } });
  expect(server.toolNames).toHaveLength(5);
});

it("an error that is not the caller's fault is thrown, not returned as an answer", async () => {
  await using store = makeStore();
  const mail = {
    ...store.mail,
    claim: () => {
      throw new TypeError("ours");
    },
  };
  const { call } = open({ ...store, mail });
  await expect(call("check_inbox")).rejects.toThrow("ours");
});

it("an agent writes to the person, who is not in a broadcast; with blocked it says that it waits for them", async () => {
  await using store = makeStore();
  const { call } = open(store);
  await call("broadcast", { subject: "sync", body: "" });
  expect(store.inbox("human")).toEqual([]);
  const letter = { to: "human", subject: "Which port?", body: "8080 or 9090?", status: "blocked" };
  expect((await call("send_message", letter)).text).toBe("stored");
  expect(store.inbox("human")).toHaveLength(1);
  expect(JSON.parse((await call("get_status", { role: "strategist" })).text)).toMatchObject({
    status: "blocked",
    waitsFor: "human",
  });
  await call("update_status", { status: "blocked", task: "merge", waits_for: "inferno" });
  expect(store.mail.status("strategist")).toMatchObject({ task: "merge", waitsFor: "inferno" });
});
