import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { perRole, type Role } from "../../src/army/roles.ts";
import type { Mail } from "../../src/mail/mail.ts";
import { openBudgetBook } from "../../src/mail/records/budget.ts";
import type { TokenLimits } from "../../src/mail/records/army-record.ts";
import type { Conversation } from "../../src/mail/records/conversation.ts";
import { identifyOurselves } from "../../src/system/process.ts";
import { openSocket, startAgent } from "../support/hooked-relay.ts";
import { makePerson, type Person } from "../support/person.ts";
import { startStandIn } from "../support/stand-in.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";
import { bundleWorker } from "../torture/bundle-worker.ts";

/** An army with a budget, of which the strategist is here. */
async function openArmy(person: Person, limits: TokenLimits) {
  const mail = person.army();
  const summoned = new Date().toISOString();
  mail.recordArmy({ session: "overlord", folder: person.project, agent: "claude", budget: limits, summoned });
  const strategist = await seat(person, "strategist");
  return { mail, ...strategist };
}

let conversations = 0;

/** An agent at its prompt in a new conversation, whose transcript the test writes. */
async function seat(person: Person, role: Role, more: Record<string, string> = {}) {
  const { sandbox } = person;
  const { path, posts } = await openSocket(sandbox, role);
  const here = { OVLD_RELAY_DIR: person.relayDir(), OVLD_BELL_CARRY: "off", ...more };
  const agent = await startAgent(sandbox, role, path, here);
  const enter = async (conversation = newId()) => {
    const transcript = join(sandbox.home, "projects/here", `${conversation}.jsonl`);
    mkdirSync(join(sandbox.home, "projects/here"), { recursive: true });
    const about = { conversation, transcript };
    await agent.hook("SessionStart", about);
    return {
      conversation,
      transcript,
      /** One turn that uses so many tokens. */
      turn: async (tokens: number) => {
        await agent.hook("UserPromptSubmit", { prompt: "work", ...about });
        if (tokens > 0) spend(transcript, tokens);
        return agent.hook("Stop", about);
      },
    };
  };
  return { agent, posts, enter };
}

function newId(): string {
  conversations += 1;
  return `00000000-0000-4000-8000-${String(conversations).padStart(12, "0")}`;
}

function spend(transcript: string, tokens: number): void {
  const usage = { input_tokens: tokens - 2, cache_read_input_tokens: 1, output_tokens: 1 };
  const id = `msg_${Math.random()}`;
  const message = { id, model: "claude-opus-5-5", content: [], stop_reason: "end_turn", usage };
  const lines = [
    { type: "user", timestamp: new Date().toISOString(), message: { role: "user", content: "work" } },
    { type: "assistant", timestamp: new Date().toISOString(), message },
  ];
  appendFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const usedBy = async (person: Person, spender = "strategist"): Promise<number> =>
  JSON.parse((await person.ovld(["budget", "--json"])).stdout).budget[spender].used;

const newsFor = (mail: Mail): string[] =>
  mail.headers("human", mail.unread("human", { handedOut: true })).map(({ subject }) => subject);

it("at 80 % the person hears of it once, at 100 % nobody is woken, and the person lets the army go on once or raises the budget", async () => {
  await using person = makePerson();
  const { mail, agent, posts, enter } = await openArmy(person, { army: 1_000 });
  const { turn } = await enter();
  await turn(800);
  await expect.poll(() => newsFor(mail), soon).toEqual(["The army's budget is nearly used up"]);
  mail.deliver(letter);
  await expect.poll(() => posts.length, soon).toBe(1);
  await agent.call("check_inbox");
  await turn(300);
  await expect.poll(() => newsFor(mail), soon).toHaveLength(2);
  // A turn that is running is not continued at its end, and nothing is rung, not even for the person.
  mail.deliver({ ...letter, from: "human" });
  expect((await turn(0)).text).toBe("{}");
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "budget" });
  expect(posts).toHaveLength(1);
  const shown = await person.ovld(["answer"]);
  expect(shown.stdout).toContain("the army's budget is used up");
  expect((await person.ovld(["budget", "go"], { env: { OVLD_ROLE: "storm" } })).code).not.toBe(0);
  expect((await person.ovld(["answer", "overlord", "deny"])).code).toBe(0);
  expect((await person.ovld(["answer"])).stdout).toContain("Nothing to answer.");
  expect((await person.ovld(["budget", "go"])).stdout).toContain("goes on");
  await expect.poll(() => posts.length, soon).toBe(2);
  await agent.call("check_inbox");
  await turn(100);
  await expect.poll(() => newsFor(mail), soon).toHaveLength(3);
  mail.deliver(letter);
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "budget" });
  expect((await person.ovld(["budget", "raise", "1_000"])).stdout).toContain("2,200 tokens");
  await expect.poll(() => posts.length, soon).toBe(3);
});

it("another conversation, a relay that starts anew and a transcript that is deleted do not begin the count anew", async () => {
  await using person = makePerson();
  const { agent, enter } = await openArmy(person, { army: 1_000_000 });
  const first = await enter();
  await first.turn(100);
  await expect.poll(() => usedBy(person), soon).toBe(100);
  // As after /clear.
  const second = await enter();
  await second.turn(20);
  await expect.poll(() => usedBy(person), soon).toBe(120);
  rmSync(first.transcript);
  await second.turn(4);
  await expect.poll(() => usedBy(person), soon).toBe(124);
  expect(openBudgetBook(person.relayDir()).spending("strategist").uncounted).toBeUndefined();
  await agent.close();
  const next = await seat(person, "strategist");
  // As after --resume.
  const again = await next.enter(second.conversation);
  await again.turn(3);
  await expect.poll(() => usedBy(person), soon).toBe(127);
  expect(await usedBy(person, "army")).toBe(127);
  expect(openBudgetBook(person.relayDir()).spending("strategist").uncounted).toBeUndefined();
});

it("an agent whose hooks are switched off is counted in another conversation as well", async () => {
  await using person = makePerson();
  const folder = join(person.sandbox.home, "projects/here");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(person.sandbox.home, "sessions"), { recursive: true });
  const beIn = (sessionId: string) => {
    const entry = { pid: process.pid, sessionId, status: "idle", statusUpdatedAt: Date.now() };
    writeFileSync(join(person.sandbox.home, `sessions/${process.pid}.json`), JSON.stringify(entry));
    spend(join(folder, `${sessionId}.jsonl`), 100);
  };
  beIn(newId());
  await openArmy(person, { army: 1_000 });
  await expect.poll(() => usedBy(person), soon).toBe(100);
  // As after /clear.
  beIn(newId());
  await expect.poll(() => usedBy(person), soon).toBe(200);
});

it.each([
  ["missing although a turn has run", "missing", (path: string) => rmSync(path, { force: true })],
  ["cut", "cut", (path: string) => truncateSync(path, 10)],
  [
    "replaced by one without figures",
    "no-figures",
    (path: string) =>
      appendFileSync(path, `${JSON.stringify({ type: "assistant", message: { content: [] } })}\n`),
  ],
])(
  "a transcript that is %s is said to be uncounted at once, and counts as reached after a minute",
  async (_what, why, spoil) => {
    await using person = makePerson();
    const { mail, enter } = await openArmy(person, { army: 1_000 });
    const book = openBudgetBook(person.relayDir());
    const { turn, transcript } = await enter();
    const tokens = why === "missing" ? 0 : 100;
    await turn(tokens);
    await expect.poll(() => usedBy(person), soon).toBe(tokens);
    spoil(transcript);
    await expect.poll(() => book.spending("strategist").uncounted?.why, soon).toBe(why);
    expect(JSON.parse((await person.ovld(["budget", "--json"])).stdout).budget.army.level).toBe("fine");
    // A minute later: a relay that starts then knows since when.
    const { uncounted: _since, ...spent } = book.spending("strategist");
    const since = new Date(Date.now() - 60_000).toISOString();
    book.recordSpending("storm", { ...spent, uncounted: { since, why: "missing" } });
    mail.deliver(letter);
    await expect
      .poll(() => mail.agentReport("strategist")?.bell, soon)
      .toMatchObject({ state: "held", why: "budget" });
    expect((await person.ovld(["budget"])).stdout).toContain("cannot count the tokens of storm");
    await person.ovld(["budget", "go"]);
    await expect.poll(() => mail.agentReport("strategist")?.bell.state, soon).not.toBe("held");
  },
);

it("what counts as used up because it could not be counted stays so in another conversation and with another relay, until the person lets it go on", async () => {
  await using person = makePerson();
  const { mail, agent, enter } = await openArmy(person, { army: 1_000 });
  const book = openBudgetBook(person.relayDir());
  const { turn, transcript } = await enter();
  await turn(100);
  await expect.poll(() => usedBy(person), soon).toBe(100);
  truncateSync(transcript, 10);
  await expect.poll(() => book.spending("strategist").uncounted?.why, soon).toBe("cut");
  await agent.close();
  const since = new Date(Date.now() - 60_000).toISOString();
  book.recordSpending("strategist", { ...book.spending("strategist"), uncounted: { since, why: "cut" } });
  const next = await (await seat(person, "strategist")).enter();
  await next.turn(100);
  await expect.poll(() => usedBy(person), soon).toBe(200);
  mail.deliver(letter);
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "budget" });
  await person.ovld(["budget", "go"]);
  await expect.poll(() => mail.agentReport("strategist")?.bell.state, soon).not.toBe("held");
  await expect.poll(() => book.spending("strategist").uncounted, soon).toBeUndefined();
});

it("an agent that runs on without a relay counts as used up after a minute, the person sees that and lets it go on, and one that has ended does not", async () => {
  await using person = makePerson();
  const { mail } = await openArmy(person, { army: 1_000 });
  const book = openBudgetBook(person.relayDir());
  const report = { role: "inferno", relay: "999999999-1", state: "idle", evidence: "hook" } as const;
  const since = new Date().toISOString();
  mail.reportAgent({ ...report, agent: identifyOurselves(), since, bell: { state: "quiet" } });
  await expect.poll(() => book.spending("inferno").uncounted?.why, soon).toBe("no-relay");
  const earlier = new Date(Date.now() - 60_000).toISOString();
  book.recordSpending("inferno", { conversations: {}, uncounted: { since: earlier, why: "no-relay" } });
  mail.deliver(letter);
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "budget" });
  expect((await person.ovld(["answer"])).stdout).toContain("ovld cannot count the tokens of inferno");
  expect((await person.ovld(["budget", "go"])).stdout).toContain("goes on");
  await expect.poll(() => mail.agentReport("strategist")?.bell.state, soon).not.toBe("held");
  mail.reportAgent({ ...report, agent: "999999999-2", since, bell: { state: "quiet" } });
  await expect.poll(() => book.spending("inferno").uncounted, soon).toBeUndefined();
});

it("an agent that has worked since it was started and has never had a relay counts as used up after a minute, and one that is at its trust dialog, or gone, does not", async () => {
  await using person = makePerson();
  const { mail } = await openArmy(person, { army: 1_000 });
  const book = openBudgetBook(person.relayDir());
  const agent = startStandIn(person.sandbox);
  const seated = (role: Role, more: Partial<Conversation> = {}, spent = 0) => {
    const id = newId();
    const transcript = join(person.sandbox.home, "projects/here", `${id}.jsonl`);
    if (spent > 0) spend(transcript, spent);
    const started = new Date().toISOString();
    const begun = { since: started, started, start: "began" } as const;
    mail.recordConversation({ role, program: "claude", id, transcript, agent, ...begun, ...more });
    return transcript;
  };
  mkdirSync(join(person.sandbox.home, "projects/here"), { recursive: true });
  // At their trust dialogs, in a new conversation and in an earlier one.
  seated("inferno");
  seated("glacier", {}, 100);
  spend(seated("shadow", { agent: "999999999-1" }), 100);
  const transcript = seated("storm");
  const why = () => perRole((role) => book.spending(role).uncounted?.why);
  await expect.poll(() => mail.agentReport("strategist")?.bell.state, soon).toBe("quiet");
  expect(why().storm).toBeUndefined();
  spend(transcript, 100);
  await expect.poll(() => why().storm, soon).toBe("no-relay");
  expect(why()).toEqual({ ...perRole(() => undefined), storm: "no-relay" });
  mkdirSync(join(person.sandbox.home, "sessions"), { recursive: true });
  const pid = Number.parseInt(agent, 10);
  const entry = { pid, status: "busy", statusUpdatedAt: Date.now() };
  writeFileSync(join(person.sandbox.home, `sessions/${pid}.json`), JSON.stringify(entry));
  await expect.poll(() => why().inferno, soon).toBe("no-relay");
  const earlier = new Date(Date.now() - 60_000).toISOString();
  book.recordSpending("storm", { conversations: {}, uncounted: { since: earlier, why: "no-relay" } });
  mail.deliver(letter);
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "budget" });
  expect((await person.ovld(["budget"])).stdout).toContain("cannot count the tokens of storm");
});

it.each(["created", "durable"])(
  "the person hears that the budget is used up although the process that told them was killed when its mail was %s",
  async (step) => {
    await using person = makePerson();
    const { mail, enter } = await openArmy(person, { army: 1_000 });
    const teller = await bundleWorker(person.sandbox, "test/support/budget-worker.ts");
    const words = [teller, person.relayDir(), "army-reached-1000", step];
    expect(spawnSync(process.execPath, words).signal).toBe("SIGKILL");
    const { turn } = await enter();
    await turn(1_000);
    // Better twice than never.
    const times = step === "durable" ? 2 : 1;
    await expect.poll(() => newsFor(mail), soon).toEqual(Array(times).fill("The army's budget is used up"));
  },
);

it("the real end of a budget is news although something could not be counted before, and news that cannot be told is told later", async () => {
  await using person = makePerson();
  const { mail, enter } = await openArmy(person, { army: 1_000 });
  const book = openBudgetBook(person.relayDir());
  const { turn } = await enter();
  const since = new Date(Date.now() - 60_000).toISOString();
  book.recordSpending("storm", { conversations: {}, uncounted: { since, why: "missing" } });
  await expect.poll(() => newsFor(mail), soon).toEqual(["The army's budget is used up"]);
  book.recordSpending("storm", { conversations: {} });
  await expect.poll(async () => (await person.ovld(["answer"])).stdout, soon).toContain("Nothing to answer");
  // As on a disk that is full.
  const inbox = join(person.relayDir(), "inbox/human");
  renameSync(inbox, `${inbox}-away`);
  writeFileSync(inbox, "");
  await turn(1_000);
  await expect.poll(() => usedBy(person), soon).toBe(1_000);
  rmSync(inbox);
  renameSync(`${inbox}-away`, inbox);
  await expect.poll(() => newsFor(mail), soon).toHaveLength(2);
});

it("a count that cannot be saved holds all the same, and is saved as soon as it can be", async () => {
  await using person = makePerson();
  const { mail, enter } = await openArmy(person, { army: 1_000 });
  const { turn } = await enter();
  await turn(100);
  await expect.poll(() => usedBy(person), soon).toBe(100);
  const file = join(person.relayDir(), "budget/strategist.json");
  rmSync(file);
  mkdirSync(file);
  await turn(900);
  mail.deliver(letter);
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "budget" });
  await expect.poll(() => newsFor(mail), soon).toEqual(["The army's budget is used up"]);
  rmdirSync(file);
  await expect.poll(() => usedBy(person), soon).toBe(1_000);
});

it("if the army's record cannot be read, its relays know the budget all the same, and the person sees what is wrong and decides", async () => {
  await using person = makePerson();
  const mail = person.army();
  writeFileSync(join(person.relayDir(), "army.json"), "half a rec");
  const { agent, enter } = await seat(person, "strategist", { OVLD_BUDGET: "army=5000,strategist=100" });
  const { turn } = await enter();
  await turn(100);
  mail.deliver(letter);
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "budget" });
  const shown = await person.ovld(["budget"]);
  expect(shown.stdout).toContain("army.json is damaged");
  expect(shown.stdout).toContain("Strategist's budget is used up");
  expect((await person.ovld(["answer"])).stdout).toContain("strategist's budget is used up");
  expect((await person.ovld(["budget", "raise", "1k", "strategist"])).code).toBe(0);
  await expect.poll(() => mail.agentReport("strategist")?.bell.state, soon).not.toBe("held");
  await agent.call("check_inbox");
  await turn(1_000);
  mail.deliver(letter);
  await expect.poll(() => mail.agentReport("strategist")?.bell.state, soon).toBe("held");
  expect((await person.ovld(["budget", "go"])).stdout).toContain("goes on");
  await expect.poll(() => mail.agentReport("strategist")?.bell.state, soon).not.toBe("held");
  // Without a relay, nothing is held, and nobody knows the budget.
  await agent.close();
  const unknown = await person.ovld(["budget", "go"]);
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining("army.json is damaged")]);
});

it("what was counted and cannot be read any more counts as reached at once", async () => {
  await using person = makePerson();
  const mail = person.army();
  mkdirSync(join(person.relayDir(), "budget"));
  writeFileSync(join(person.relayDir(), "budget/strategist.json"), "half a rec");
  const { posts } = await openArmy(person, { strategist: 1_000 });
  mail.deliver(letter);
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "budget" });
  expect(posts).toEqual([]);
});

it("ovld budget shows who has used what and what it costs, and says what it does not understand", async () => {
  await using person = makePerson();
  const { enter } = await openArmy(person, { army: 10_000, inferno: 500 });
  const { turn } = await enter();
  await turn(2_000);
  await expect.poll(() => usedBy(person), soon).toBe(2_000);
  mkdirSync(join(person.configFile, ".."), { recursive: true });
  writeFileSync(person.configFile, "[prices]\nclaude-opus = { input = 5, cached = 0.5, output = 1000000 }\n");
  const { stdout } = await person.ovld(["budget"]);
  expect(stdout).toMatch(/the army +2,000 +8,000 +10,000 +1\.01 +1,998 read, 1 from the cache, 1 written/);
  expect(stdout).toMatch(/inferno +0 +500 +500/);
  for (const words of [["raise"], ["raise", "many"], ["raise", "5", "nobody"], ["stop"], ["go", "now"]])
    expect((await person.ovld(["budget", ...words])).code).toBe(2);
  expect((await person.ovld(["budget", "raise", "5", "storm"])).stderr).toContain(
    "without a budget for storm",
  );
});

it("an army without a budget has none, keeps nothing for it, and its relays load nothing for it", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { enter, posts } = await seat(person, "strategist");
  const { turn } = await enter();
  await turn(1e9);
  mail.deliver(letter);
  await expect.poll(() => posts.length, soon).toBe(1);
  expect((await person.ovld(["budget"])).stdout).toContain("has no budget");
  expect(() => rmSync(join(person.relayDir(), "budget"))).toThrow("ENOENT");
});
