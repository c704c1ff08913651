import { join } from "node:path";
import { expect, it } from "vitest";
import type { Role } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { openSocket, startAgent } from "../support/hooked-relay.ts";
import { makePerson, type Person } from "../support/person.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { soon } from "../support/wait-until.ts";

type Agent = Awaited<ReturnType<typeof seat>>;

/** An agent at its prompt, whose bells carry no mail. */
async function seat(sandbox: Sandbox, role: Role, more: Record<string, string> = {}) {
  const { path, posts } = await openSocket(sandbox, role);
  const agent = await startAgent(sandbox, role, path, { OVLD_BELL_CARRY: "off", ...more });
  await agent.hook("SessionStart");
  return { ...agent, role, posts };
}

/** Takes a turn because of a bell: reads its mail, and writes to somebody. Returns the answer of `send_message`. */
async function turn(agent: Agent, to: Role, work?: string) {
  const before = { tool: "mcp__ovld-relay__check_inbox" };
  await agent.hook("UserPromptSubmit", { prompt: agent.posts.at(-1) ?? "[MESSAGE from nobody]" });
  await agent.hook("PreToolUse", before);
  await agent.call("check_inbox");
  await agent.hook("PostToolUse", before);
  if (work !== undefined) await agent.hook("PostToolUse", { tool: work });
  const answer = await agent.call("send_message", { to, subject: "thank you", body: "no, thank you" });
  await agent.hook("PostToolUse", { tool: "mcp__ovld-relay__send_message" });
  await agent.hook("Stop");
  return answer;
}

/** Each writes to the next when it is woken, until one is not woken. Returns the answers of `send_message`. */
async function goRound(agents: readonly Agent[], most: number) {
  const answers: Awaited<ReturnType<typeof turn>>[] = [];
  for (let round = 0; round < most; round += 1) {
    const [writer, reader] = [agents[round % agents.length], agents[(round + 1) % agents.length]];
    if (writer === undefined || reader === undefined) break;
    const rung = reader.posts.length;
    // To keep one's own list is no work.
    answers.push(await turn(writer, reader.role, "TaskUpdate"));
    const { text = "" } = answers.at(-1) ?? {};
    if (text !== "stored" && !text.includes("wakes nobody until")) return answers;
    await expect.poll(() => reader.posts.length, soon).toBeGreaterThan(rung);
  }
  return answers;
}

it("two agents that only thank each other are held after eight messages, and both are told once", async () => {
  await using sandbox = makeSandbox();
  const glacier = await seat(sandbox, "glacier");
  const agents = [await seat(sandbox, "inferno"), glacier];
  const answers = await goRound(agents, 20);
  expect(answers).toHaveLength(9);
  expect(answers.slice(0, 7).map(({ text }) => text)).toEqual(Array<string>(7).fill("stored"));
  expect(answers[7]?.json).toMatchObject({
    stored: true,
    why: expect.stringContaining("wakes nobody until"),
  });
  expect(answers[8]?.json).toMatchObject({
    stored: true,
    why: expect.stringContaining("if the person lets"),
  });
  const mail = openMail(sandbox.relayDir);
  expect(mail.agentReport("glacier")?.bell).toMatchObject({ state: "held", why: "brake" });
  // The person's word wakes it, and all of its mail comes with it.
  mail.deliver({ from: "human", to: "glacier", subject: "enough", body: "stop it", priority: "normal" });
  await expect.poll(() => glacier.posts.length, soon).toBe(5);
});

it("one that works in between keeps two going", async () => {
  await using sandbox = makeSandbox();
  const [worker, asker] = [await seat(sandbox, "inferno"), await seat(sandbox, "strategist")];
  for (let round = 0; round < 10; round += 1) {
    expect((await turn(asker, "inferno")).text).toBe("stored");
    expect((await turn(worker, "strategist", "Edit")).text).toBe("stored");
  }
});

it("with 0 nothing is held, and with 2 the third message is", async () => {
  await using sandbox = makeSandbox();
  const free = [
    await seat(sandbox, "inferno", { OVLD_BRAKE: "0" }),
    await seat(sandbox, "glacier", { OVLD_BRAKE: "0" }),
  ];
  expect(await goRound(free, 12)).toHaveLength(12);
  await using other = makeSandbox();
  const short = [
    await seat(other, "inferno", { OVLD_BRAKE: "2" }),
    await seat(other, "glacier", { OVLD_BRAKE: "2" }),
  ];
  expect(await goRound(short, 12)).toHaveLength(3);
});

it("a relay that is killed in the middle of a talk does not begin the count anew", async () => {
  await using sandbox = makeSandbox();
  const [inferno, glacier] = [await seat(sandbox, "inferno"), await seat(sandbox, "glacier")];
  await goRound([inferno, glacier], 5);
  const mail = openMail(sandbox.relayDir);
  await glacier.hook("UserPromptSubmit", { prompt: glacier.posts.at(-1) });
  await glacier.call("check_inbox");
  await expect.poll(() => mail.agentReport("glacier")?.talk, soon).toBe(5);
  process.kill(glacier.pid, "SIGKILL");
  await expect.poll(() => mail.agentReport("glacier")?.state, soon).toBe("gone");
  const next = await startAgent(sandbox, "glacier", join(sandbox.root, "glacier.sock"));
  await next.hook("PreToolUse", { tool: "mcp__ovld-relay__send_message" });
  await next.call("send_message", { to: "inferno", subject: "thank you", body: "!" });
  const [id = ""] = mail.unread("inferno", { handedOut: true });
  expect(mail.headers("inferno", [id])).toMatchObject([{ talk: 6 }]);
});

/** An army of which glacier's mail is held. */
async function holdGlacier(person: Person) {
  const mail = person.army();
  const here = { OVLD_RELAY_DIR: person.relayDir() };
  const inferno = await seat(person.sandbox, "inferno", here);
  const glacier = await seat(person.sandbox, "glacier", here);
  await goRound([inferno, glacier], 20);
  return { inferno, glacier, mail };
}

it("the person sees what is held, lets it go on with ovld answer, and an agent may not", async () => {
  await using person = makePerson();
  const { glacier, inferno, mail } = await holdGlacier(person);
  const status = JSON.parse((await person.ovld(["status", "--json"])).stdout);
  expect(status.roles.find(({ role }: { role: Role }) => role === "glacier").braked).toEqual({
    from: ["inferno"],
    messages: 8,
    isStopped: false,
  });
  const shown = await person.ovld(["answer"]);
  expect(shown.stdout).toContain("they have exchanged 8 messages and done nothing else");
  expect(shown.stdout).toContain("ovld answer glacier allow|deny");
  const byAgent = await person.ovld(["answer", "glacier", "allow"], { env: { OVLD_ROLE: "glacier" } });
  expect(byAgent.code).not.toBe(0);
  expect(mail.brakeDecision("glacier")).toBeUndefined();
  // What is stopped stays held, whatever else wakes its reader.
  const before = glacier.posts.length;
  expect((await person.ovld(["answer", "glacier", "deny"])).code).toBe(0);
  mail.deliver({ from: "storm", to: "glacier", subject: "work", body: "the wall", priority: "normal" });
  await expect.poll(() => glacier.posts.length, soon).toBe(before + 1);
  expect((await glacier.call("check_inbox")).json).toMatchObject([{ subject: "work" }]);
  await glacier.hook("Stop");
  await expect
    .poll(() => mail.agentReport("glacier")?.bell, soon)
    .toMatchObject({ state: "held", why: "brake" });
  const rung = glacier.posts.length;
  expect((await person.ovld(["answer", "glacier", "allow"])).stdout).toContain("glacier goes on");
  await expect.poll(() => glacier.posts.length, soon).toBe(rung + 1);
  expect((await turn(glacier, "inferno")).text).toBe("stored");
  await expect.poll(() => inferno.posts.length, soon).toBeGreaterThan(0);
  expect((await person.ovld(["answer", "glacier", "allow"])).code).not.toBe(0);
});
