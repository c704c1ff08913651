import { expect, it, vi } from "vitest";
import { claudeHooks } from "../../../src/agent/claude/hooks.ts";
import type { HookCall } from "../../../src/agent/hook-call.ts";
import { openAgentSession, type AgentPart, type StartPart } from "../../../src/relay/agent-session.ts";
import { makeCall } from "../../support/relay-call.ts";

function open(parts: StartPart[], { secret }: { secret: string | undefined } = { secret: "s" }) {
  const complaints: unknown[] = [];
  const session = openAgentSession({
    secret,
    hooks: () => claudeHooks,
    parts,
    complainOf: (error) => complaints.push(error),
  });
  const hook = (event: string, more: object = {}) =>
    session.onHook({ secret: "s", event, ...more }, makeCall());
  return { session, complaints, hook };
}

/** A part that hears, and what it has heard. */
function hearing(answer?: string) {
  const heard: HookCall[] = [];
  const part: AgentPart = {
    hear(call) {
      heard.push(call);
      return answer;
    },
  };
  return { part, heard };
}

const answered = (text: string): object => ({ result: { content: [{ type: "text", text }] } });
const REFUSED = {
  result: {
    content: [{ type: "text", text: "This tool is for the hooks of the army alone. Nothing was done." }],
    isError: true,
  },
};

it("when the tools are listed the parts start in order, once, and they are closed in the opposite order", () => {
  const happened: string[] = [];
  const part = (name: string): StartPart => {
    return () => {
      happened.push(name);
      return { close: () => happened.push(`${name} closed`) };
    };
  };
  const { session } = open([part("presence"), () => undefined, part("bell")]);
  expect(happened).toEqual([]);
  session.onListed();
  session.onListed();
  session.close();
  expect(happened).toEqual(["presence", "bell", "bell closed", "presence closed"]);
});

it("a part that fails is reported once, and it and those after it are tried again until they start", () => {
  vi.useFakeTimers();
  try {
    const happened: string[] = [];
    let isFull = true;
    const { session, complaints } = open([
      () => void happened.push("presence"),
      () => {
        if (isFull) throw new Error("the disk is full");
        return { wasAsked: () => happened.push("asked") };
      },
      () => void happened.push("ritual"),
    ]);
    session.onListed();
    session.onListed();
    vi.advanceTimersByTime(5_000);
    session.onAsked([]);
    expect([happened, complaints]).toEqual([["presence"], [new Error("the disk is full")]]);
    isFull = false;
    vi.advanceTimersByTime(15_000);
    session.onAsked([]);
    expect(happened).toEqual(["presence", "ritual", "asked"]);
    expect(complaints).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

it("a hook with the right secret is heard by every part, and gets the first answer", () => {
  const ended = { event: "turn-ended", prompt: "", tool: "", asksForMail: false };
  const [silent, speaking, late] = [hearing(), hearing("go on"), hearing("too late")];
  const { session, hook } = open(
    [silent, speaking, late].map(
      ({ part }) =>
        () =>
          part,
    ),
  );
  expect(hook("Stop")).toEqual(answered("{}"));
  session.onListed();
  expect(hook("Stop")).toEqual(answered("go on"));
  expect([silent.heard, speaking.heard, late.heard]).toEqual([[ended], [ended], [ended]]);
});

it("an answer may take its time, and may be none", async () => {
  const answers: Promise<string | undefined>[] = [Promise.resolve("allowed"), Promise.resolve(undefined)];
  const { session, hook } = open([() => ({ hear: () => answers.shift() })]);
  session.onListed();
  expect(await hook("PermissionRequest")).toEqual(answered("allowed"));
  expect(await hook("PermissionRequest")).toEqual(answered("{}"));
});

it("a part hears if its answer is discarded", () => {
  const dropped: string[] = [];
  const { session } = open([
    () => ({
      hear(_, hook) {
        hook.onDropped((why) => dropped.push(why));
        return "mail";
      },
    }),
  ]);
  session.onListed();
  const call = makeCall();
  void session.onHook({ secret: "s", event: "Stop" }, call);
  expect(dropped).toEqual([]);
  call.drop("cancelled");
  expect(dropped).toEqual(["cancelled"]);
});

it("a subagent's events are heard only by those who ask for them, and it is kept from the mail", () => {
  const { part, heard } = hearing();
  const bySubagents: string[] = [];
  const { session, hook } = open([
    () => part,
    () => ({ hearSubagent: ({ event }) => bySubagents.push(event) }),
  ]);
  session.onListed();
  expect(hook("Stop", { subagent: "a1" })).toEqual(answered("{}"));
  expect(hook("PreToolUse", { subagent: "a1" })).toEqual(
    answered(expect.stringContaining("not for its subagents")),
  );
  expect([heard, bySubagents]).toEqual([[], ["turn-ended", "tool-begins"]]);
});

it.each([
  ["another secret", { secret: "x", event: "Stop" }, "s"],
  ["no secret", { event: "Stop" }, "s"],
  ["an unknown event", { secret: "s", event: "Dance" }, "s"],
  ["a relay without a secret", { secret: "s", event: "Stop" }, undefined],
])("a call with %s is refused", (_, input, secret) => {
  const { part, heard } = hearing();
  const { session } = open([() => part], { secret });
  session.onListed();
  expect(session.onHook(input, makeCall())).toEqual(REFUSED);
  expect(heard).toEqual([]);
});

it("the agent program's code is not loaded for a caller without the secret", () => {
  const session = openAgentSession({
    secret: "s",
    hooks: () => expect.unreachable(),
    parts: [],
    complainOf() {},
  });
  expect(session.onHook({ secret: "x", event: "Stop" }, makeCall())).toEqual(REFUSED);
});
