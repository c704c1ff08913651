import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Mail } from "../../src/mail/mail.ts";
import { makePerson, poseAsRelay, type Person } from "../support/person.ts";
import { OVLD } from "../support/ovld.ts";
import { runCommand } from "../support/run-command.ts";
import { startRelayLookalike } from "../support/stand-in.ts";
import { soon } from "../support/wait-until.ts";

function write(mail: Mail, from: "storm" | "inferno" | "ovld", subject: string, body = "…"): string {
  return mail.deliver({ from, to: "human", subject, body, priority: "normal" }).id;
}

/** The relay of storm, as far as others see it. */
function pose(person: Person, mail: Mail): void {
  poseAsRelay(mail, "storm", { relay: startRelayLookalike(person.sandbox, person.relayDir(), "storm") });
}

it("the person's mail is shown first in status and by ovld alone, read by inbox, and then it is read", async () => {
  await using person = makePerson();
  const mail = person.army();
  const id = write(mail, "storm", "Which port?", "8080 or\u001b[2J \u202e9090?");
  expect((await person.ovld(["status"])).stdout).toMatch(
    /Mail for you: one unread message {2}→ {2}ovld inbox\n {2}storm/,
  );
  const { stdout } = await person.ovld(["inbox"]);
  expect(stdout).toContain(`storm  Which port?\n`);
  expect(stdout).toContain(id);
  expect(stdout).toContain("  │ 8080 or\u{FFFD}[2J \u{FFFD}9090?\n");
  expect((await person.ovld(["inbox"])).stdout).toBe("There is no mail for you.\n");
  expect((await person.ovld(["status"])).stdout).not.toContain("Mail for you");
  expect((await person.ovld(["inbox", "--all"])).stdout).toContain("Which port?");
  expect(JSON.parse((await person.ovld(["inbox", "--all", "--json"])).stdout).messages).toMatchObject([
    { id },
  ]);
});

it("what could not be shown comes again, marked", async () => {
  await using person = makePerson();
  const mail = person.army();
  write(mail, "storm", "Which port?");
  const intoFullDisk = ["sh", "-c", '"$0" "$@" >/dev/full', process.execPath, OVLD, "inbox"] as const;
  const { env, project: cwd } = person;
  expect((await runCommand(person.sandbox, [...intoFullDisk], { env, cwd })).code).not.toBe(0);
  expect((await person.ovld(["inbox"])).stdout).toContain("[shown before]");
  expect(mail.countUnread("human")).toBe(0);
});

it("an agent may neither read nor answer the person's mail", async () => {
  await using person = makePerson();
  const mail = person.army();
  write(mail, "storm", "Which port?");
  const env = { OVLD_ROLE: "storm" };
  for (const args of [["inbox"], ["reply", "8080"], ["send", "inferno", "Hi", "--wait"]])
    expect((await person.ovld([...args, "--json"], { env })).stderr).toContain("agent-may-not-answer");
  expect([mail.countUnread("human"), mail.countUnread("storm")]).toEqual([1, 0]);
});

it("a reply goes to the one who asks and waits, and marks the question as read", async () => {
  await using person = makePerson();
  const mail = person.army();
  const asked = write(mail, "storm", "Which port?");
  write(mail, "inferno", "A report");
  mail.setStatus("storm", "blocked", "", { waitsFor: "human", asked });
  const { stdout } = await person.ovld(["reply", "8080", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ to: "storm", answers: asked, stored: true });
  expect(mail.claim("storm").messages).toMatchObject([
    { from: "human", subject: "Re: Which port?", body: "8080" },
  ]);
  expect(mail.countUnread("human")).toBe(1);
});

it("without an id the one message without an answer is meant; several are listed, and nothing is sent", async () => {
  await using person = makePerson();
  const mail = person.army();
  const said = async (...args: string[]): Promise<string> => (await person.ovld(["reply", ...args])).stderr;
  expect(await said("yes")).toContain("No agent has written anything to you that has no answer yet.");
  const first = write(mail, "storm", "Which port?");
  const second = write(mail, "inferno", "Which file?");
  expect(await said("yes")).toContain(`${first} (storm: Which port?), ${second} (inferno: Which file?)`);
  expect(mail.countUnread("storm") + mail.countUnread("inferno")).toBe(0);
  expect((await person.ovld(["reply", second.slice(0, -2), "a.ts"])).code).toBe(0);
  expect((await person.ovld(["reply", "8080"])).code).toBe(0);
  expect(await said("again")).toContain("No agent has written");
  // A second answer to the same message is the person's to give.
  expect((await person.ovld(["reply", first, "no, 9090"])).code).toBe(0);
  expect(mail.claim("storm").messages.map(({ body }) => body)).toEqual(["8080", "no, 9090"]);
  expect(await said("0zzz", "yes")).toContain("There is no message");
  expect(await said(write(mail, "ovld", "Stalled"), "yes")).toContain("is from ovld itself");
});

it("two who reply at once both reach the agent", async () => {
  await using person = makePerson();
  const mail = person.army();
  const id = write(mail, "storm", "Which port?");
  const runs = await Promise.all(["8080", "9090"].map((text) => person.ovld(["reply", id, text])));
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(
    mail
      .claim("storm")
      .messages.map(({ body }) => body)
      .toSorted(),
  ).toEqual(["8080", "9090"]);
});

it("nobody would read a reply to an army that has ended", async () => {
  await using person = makePerson();
  const mail = person.army();
  write(mail, "storm", "Which port?");
  const record = mail.army() ?? {
    folder: person.project,
    agent: "practice",
    summoned: "2026-11-15T12:00:00.000Z",
  };
  mail.recordArmy({ ...record, ended: { at: "2026-11-15T13:00:00.000Z", how: "closed" } });
  expect((await person.ovld(["reply", "8080"])).stderr).toContain("has ended, so nobody would read this");
  expect((await person.ovld(["inbox"])).stdout).toContain("Which port?");
});

it("send --wait shows the role's next message and marks it as read; an agent that is not running is an error", async () => {
  await using person = makePerson();
  const mail = person.army();
  write(mail, "storm", "An old report");
  expect((await person.ovld(["send", "storm", "How far are you?", "--wait"])).stderr).toContain(
    "No answer can come",
  );
  pose(person, mail);
  const { stdout: said, ended } = person.start(["send", "storm", "And now?", "--wait"]);
  await expect.poll(said, soon).toMatch(/\n.*\n/);
  expect(mail.countUnread("storm")).toBe(2);
  write(mail, "inferno", "Not mine");
  // It has not read the question yet. Nothing shows that this has been passed over.
  write(mail, "storm", "Something else");
  await pause(1_000);
  mail.claim("storm").settle();
  write(mail, "storm", "Half done");
  const { code, stdout } = await ended;
  expect([code, stdout.includes("storm  Half done"), stdout.includes("old report")]).toEqual([
    0,
    true,
    false,
  ]);
  expect(mail.claim("human").messages.map(({ subject }) => subject)).toEqual([
    "An old report",
    "Not mine",
    "Something else",
  ]);
});

it("send --wait ends with what ovld says about that message, and with an answer that came just before its agent ended", async () => {
  await using person = makePerson();
  const mail = person.army();
  pose(person, mail);
  const waiting = person.ovld(["send", "storm", "And now?", "--wait"]);
  await expect.poll(() => mail.countUnread("storm")).toBe(1);
  const [id = ""] = mail.unread("storm", { handedOut: false });
  write(mail, "ovld", "storm has stopped: another", "your mail (1)");
  write(mail, "ovld", "storm has stopped: And now?", `your mail (${id})`);
  const { code, stdout } = await waiting;
  expect([code, stdout.includes("And now?"), stdout.includes("another")]).toEqual([1, true, false]);
  expect(mail.claim("human").messages).toHaveLength(1);
  mail.claim("storm").settle();
  const second = person.ovld(["send", "storm", "And then?", "--wait"]);
  await expect.poll(() => mail.countUnread("storm")).toBe(1);
  mail.claim("storm").settle();
  write(mail, "storm", "Done");
  poseAsRelay(mail, "storm", { state: "gone" });
  expect((await second).stdout).toContain("storm  Done");
});

it("an interrupted send --wait leaves the answer where it is", async () => {
  await using person = makePerson();
  const mail = person.army();
  pose(person, mail);
  const { pty, output, exited } = person.onTerminal(["send", "storm", "How far are you?", "--wait"]);
  await expect.poll(output).toMatch(/storm.*\n.*storm/s);
  pty.write("\u0003");
  expect(await exited).toBe(130);
  write(mail, "storm", "Half done");
  expect((await person.ovld(["inbox"])).stdout).toContain("Half done");
});
