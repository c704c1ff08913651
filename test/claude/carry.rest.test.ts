import { join } from "node:path";
import { expect, it } from "vitest";
import { expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes, type ClaudeSeats } from "../support/claude-seats.ts";
import type { ModelRequest, Turn } from "../support/model.ts";
import { startRelay } from "../support/relay.ts";
import { endIfThrown } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const hasMail = ({ last }: ModelRequest): boolean => /\] Word [a-z]{6}, note/.test(last);
/** A model that answers what came with its bell, unless something prevents it. */
const answer = (request: ModelRequest): Turn | undefined => (hasMail(request) ? "understood" : undefined);

/** A seat that has had a prompt, so its hooks are known to work. */
async function seatStrategist(script: (request: ModelRequest) => Turn | Promise<Turn> | undefined) {
  const seats = await seatClaudes(["strategist"], { script });
  return endIfThrown(seats, async () => {
    await seats.pane("strategist").say("hello");
    await expect.poll(() => seats.model.requests.length, soon).toBe(1);
    await expectState(seats, "idle");
    return seats;
  });
}

/** Without what may also come a moment later: that the mail is stored, and that an agent is not idle yet. */
const events = (seats: ClaudeSeats): string[] =>
  seats
    .journal()
    .map(({ event }) => String(event))
    .filter((event) => event !== "held" && event !== "stored");

it("short mail is in the very request that its bell leads to, without being asked for, and the journal lists it in order", async () => {
  await using seats = await seatStrategist(answer);
  const { id } = seats.mail.deliver(letter);
  await expect.poll(() => events(seats), soon).toEqual(["rung", "begun", "read"]);
  await expectState(seats, "idle");
  expect(seats.journal("rung")).toEqual([expect.objectContaining({ way: "socket" })]);
  expect(seats.model.requests).toHaveLength(2);
  expect(seats.model.requests[1]?.last).toMatch(
    new RegExp(`"subject":"order","body":"take the hill","from":"overlord",.*"id":"${id}"`),
  );
  expect(seats.mail.countUnread("strategist")).toBe(0);
  const screen = (await seats.pane("strategist").screen()).replaceAll(/\s+/g, " ");
  expect(screen).toMatch(
    /Message from @overlord: \[MESSAGE from overlord\] Word [a-z]{6}, note [a-z]{5}\. \[\{"subject":"order","body":"take/,
  );
});

it("short mail is carried at the end of a turn, and the turn continues with it", async () => {
  await using seats = await seatStrategist(answer);
  await seats.pane("strategist").say("please work 5");
  await expectState(seats, "busy");
  const { id } = seats.mail.deliver(letter);
  await expect.poll(() => events(seats), soon).toEqual(["rung", "begun", "read"]);
  await expectState(seats, "idle");
  expect(seats.journal("rung")).toEqual([expect.objectContaining({ way: "hook" })]);
  expect(seats.model.requests).toHaveLength(3);
  expect(seats.model.requests[2]?.last).toContain(id);
});

it("a working agent has mail together with the results of its tools: urgent mail after any tool, other mail after one of ours, without another request", async () => {
  const read = (name: string): Turn => ({
    tool: "Read",
    input: { file_path: join(seats.world.project, name) },
  });
  const steps = (): [Turn, (() => string)?][] => [
    [read("one")],
    [read("two"), () => seats.mail.deliver({ ...letter, subject: "halt-at-once", priority: "urgent" }).id],
    [read("three"), () => seats.mail.deliver({ ...letter, subject: "see-to-it-later" }).id],
    [{ tool: "mcp__ovld-relay__update_status", input: { status: "working" } }],
    ["done with it"],
  ];
  const ids: string[] = [];
  const subjects: string[][] = [];
  await using seats = await seatStrategist(({ messages, last }) => {
    if (subjects.length === 0 && !last.includes("please work through it")) return "fine";
    const text = JSON.stringify(messages);
    subjects.push(["halt-at-once", "see-to-it-later"].filter((subject) => text.includes(subject)));
    const [turn = "", send] = steps()[subjects.length - 1] ?? [];
    if (send) ids.push(send());
    return turn;
  });
  await seats.pane("strategist").say("please work through it");
  await expect.poll(() => seats.journal("read"), soon).toHaveLength(2);
  expect(seats.journal("read").map(({ id }) => id)).toEqual(ids);
  await expectState(seats, "idle");
  expect(subjects).toEqual([[], [], ["halt-at-once"], ["halt-at-once"], ["halt-at-once", "see-to-it-later"]]);
  expect(seats.journal("rung").map(({ way }) => way)).toEqual(["hook", "hook"]);
});

it("urgent mail that comes with the results of a tool is read once if Claude Code retries the next request after errors, and comes again, marked, if the turn fails", async () => {
  const read = (name: string): Turn => ({
    tool: "Read",
    input: { file_path: join(seats.world.project, name) },
  });
  const halt = { ...letter, subject: "halt-at-once", priority: "urgent" } as const;
  let answers: (Turn | (() => Turn))[] = [];
  const sendAndRead = (): Turn => {
    seats.mail.deliver(halt);
    return read("two");
  };
  await using seats = await seatStrategist(() => {
    const next = answers.shift() ?? "fine";
    return typeof next === "function" ? next() : next;
  });
  answers = [read("one"), sendAndRead, 500, 500, "understood"];
  await seats.pane("strategist").say("please work");
  await expect.poll(() => seats.journal("read"), soon).toHaveLength(1);
  await expectState(seats, "idle");
  expect(answers).toEqual([]);
  expect(seats.journal("rung").map(({ way }) => way)).toEqual(["hook"]);
  answers = [read("three"), sendAndRead, 403, "understood"];
  await seats.pane("strategist").say("please work on");
  await expect.poll(() => seats.journal("read"), soon).toHaveLength(2);
  await expectState(seats, "idle");
  const [, again] = seats.journal("read");
  expect(again).toMatchObject({ redelivered: true });
  expect(seats.model.requests.at(-1)?.last).toMatch(/"redelivered":true,"id":/);
});

it("a relay that hangs stops its agent for seconds, not minutes, and mail in an answer that came too late is delivered again, marked", async () => {
  let ids: string[] = [];
  let relay = 0;
  let requests = 0;
  await using seats = await seatStrategist(({ last }) => {
    if (requests === 0 && !last.includes("please work")) return "fine";
    requests += 1;
    if (requests === 2) {
      ids = [seats.mail.deliver({ ...letter, priority: "urgent" }).id];
      process.kill(relay, "SIGSTOP");
    }
    if (requests === 3) process.kill(relay, "SIGCONT");
    if (last.includes("Call check_inbox")) return undefined;
    const file_path = join(seats.world.project, `${requests}`);
    return requests < 4 ? { tool: "Read", input: { file_path } } : "done with it";
  });
  relay = Number.parseInt(seats.report("strategist")?.relay ?? "", 10);
  await seats.pane("strategist").say("please work");
  await expect
    .poll(() => seats.journal("read"), soon)
    .toEqual([expect.objectContaining({ redelivered: true })]);
  await expectState(seats, "idle");
  const shown = seats.model.requests.at(-1)?.toolResults.join("\n") ?? "";
  expect(shown.split(ids[0] ?? "none")).toHaveLength(2);
});

it("mail arrives although the connection breaks in the middle of the answer, the answer is too long, or the conversation is and gets compacted", async () => {
  const troubles: Record<string, Turn> = {
    connection: { words: "I wi", cutBy: "connection" },
    answer: { words: "I wi", cutBy: "max_tokens" },
    conversation: { status: 400, words: "prompt is too long: 210000 tokens > 200000 maximum" },
  };
  const met = new Set<string>();
  let answered = "";
  await using seats = await seatStrategist((request) => {
    if (request.last.includes("create a detailed summary")) return "<summary>Short.</summary>";
    const [, trouble = ""] = /"subject":"(\w+)"/.exec(request.last) ?? [];
    if (trouble in troubles && !met.has(trouble)) {
      met.add(trouble);
      return troubles[trouble];
    }
    answered += JSON.stringify(request.messages);
    return request.last.includes("Call check_inbox") ? undefined : answer(request);
  });
  for (const subject of Object.keys(troubles)) {
    const { id } = seats.mail.deliver({ ...letter, subject });
    await expect.poll(() => seats.journal("read").map((event) => event.id), soon).toContain(id);
    await expectState(seats, "idle");
  }
  expect([...met]).toEqual(Object.keys(troubles));
  const read = seats.journal("read");
  expect(read.map(({ id }) => answered.includes(id))).toEqual([true, true, true]);
  // It is not known what is left of a prompt in a conversation that was compacted.
  expect(read.map(({ redelivered }) => redelivered)).toEqual([undefined, undefined, true]);
});

it("a turn that is interrupted before the model has answered leaves its mail unread, and it is delivered again, marked", async () => {
  let isFirst = true;
  await using seats = await seatStrategist((request) => {
    // The interrupted prompt comes along with the next one.
    if (!isFirst || !hasMail(request)) return undefined;
    isFirst = false;
    return new Promise(() => {});
  });
  const { id } = seats.mail.deliver(letter);
  await expect.poll(() => seats.model.requests.filter(hasMail).length, soon).toBe(1);
  await seats.pane("strategist").press("escape");
  await expect.poll(() => seats.model.requests.length, soon).toBeGreaterThan(2);
  await expect
    .poll(() => seats.journal("read"), soon)
    .toEqual([expect.objectContaining({ id, redelivered: true })]);
  await expect.poll(() => seats.model.requests.at(-1)?.toolResults.join(""), soon).toContain(id);
  await expectState(seats, "idle");
  await expect.poll(() => seats.mail.countUnread("strategist"), soon).toBe(0);
});

it("urgent mail with the results of tools whose turn the person then interrupts is rung for again, not by typing, and is delivered again, marked", async () => {
  let step = 0;
  await using seats = await seatStrategist(({ last }) => {
    if (last.includes("Call check_inbox") || !last.includes("please work")) {
      // The request with the mail gets no answer.
      return step === 2 && (step += 1) === 3 ? new Promise(() => {}) : undefined;
    }
    step = 2;
    seats.mail.deliver({ ...letter, priority: "urgent" });
    return { tool: "Read", input: { file_path: join(seats.world.project, "nothing") } };
  });
  // Until then, urgent mail goes through the socket.
  await seats.pane("strategist").say("please run");
  await seats.pane("strategist").answer("enter");
  await expectState(seats, "idle");
  await seats.pane("strategist").say("please work");
  await expect.poll(() => step, soon).toBe(3);
  await seats.pane("strategist").press("escape");
  await expect.poll(() => seats.journal("read"), soon).toMatchObject([{ redelivered: true }]);
  expect(seats.journal("rung").map(({ way }) => way)).toEqual(["hook", "socket"]);
});

it("an agent that is killed when its turn has just begun leaves its mail to the next one, marked", async () => {
  await using seats = await seatStrategist((request) =>
    hasMail(request) ? new Promise(() => {}) : undefined,
  );
  const { id } = seats.mail.deliver(letter);
  await expect.poll(() => seats.model.requests.filter(hasMail).length, soon).toBe(1);
  expect(events(seats)).toEqual(["rung", "begun"]);
  process.kill(Number.parseInt(seats.report("strategist")?.agent ?? "", 10), "SIGKILL");
  await expectState(seats, "gone");
  const { world } = seats;
  const next = await startRelay(world.sandbox, "strategist", {
    env: { ...world.env, OVLD_RELAY_DIR: world.relayDir(seats.session), OVLD_SESSION: seats.session },
  });
  expect((await next.call("check_inbox")).json).toMatchObject([{ id, redelivered: true }]);
  await next.close();
});

it("by typing a bell repeats the letters of a subject, of any script it knows, in one line, and never the mail", async () => {
  await using seats = await seatClaudes(["strategist"], { wake: "pane" });
  const { id } = seats.mail.deliver({ ...letter, subject: "/clear 戦況の報告、北壁 (№3) – ÉTÉ" });
  await expectRead(seats, [id]);
  expect(seats.bells()).toHaveLength(1);
  expect(seats.bells()[0]?.last).toMatch(
    /\[MESSAGE from overlord\] You have mail about clear-戦況の報告-北壁-No-ÉTÉ, note \w+\. Call check_inbox\.\s*$/,
  );
  expect(seats.journal("read")).toEqual([expect.not.objectContaining({ redelivered: true })]);
});
