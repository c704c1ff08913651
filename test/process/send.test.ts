import { expect, it } from "vitest";
import type { BellReport } from "../../src/mail/records/agent-report.ts";
import { LIMITS } from "../../src/mail/store/message.ts";
import { makePerson, poseAsRelay } from "../support/person.ts";
import { startRelayLookalike } from "../support/stand-in.ts";

const now = new Date().toISOString();

it("a message from the person arrives as from human, and the answer says that it waits if no agent is running", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { code, stdout } = await person.ovld(["send", "inferno", "take the hill", "--urgent"]);
  const [message] = mail.claim("inferno").messages;
  expect(message).toMatchObject({
    from: "human",
    subject: "take the hill",
    body: "take the hill",
    priority: "urgent",
  });
  expect(code).toBe(0);
  expect(stdout).toBe(
    `Message ${message?.id} to inferno is stored.\nNo agent is running for inferno; the message waits in the inbox.\n`,
  );
});

it.each([[["send", "storm"]], [["send", "storm", "-"]]])("%o reads the text from stdin", async (args) => {
  await using person = makePerson();
  const mail = person.army();
  const input =
    "Count the ships in the harbour, and tell me how many of them could sail tonight\nif asked.\n";
  expect((await person.ovld(args, { input })).code).toBe(0);
  const [message] = mail.claim("storm").messages;
  expect(message?.body).toBe(input.trimEnd());
  expect(message?.subject).toBe("Count the ships in the harbour, and tell me how many of…");
});

it("on a terminal the text is typed, and Ctrl-D sends it", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { pty, output, exited } = person.onTerminal(["send", "shadow", "--subject", "watch"]);
  await expect.poll(output).toContain("Ctrl-D");
  pty.write("look north\r\u0004");
  expect(await exited).toBe(0);
  expect(mail.claim("shadow").messages[0]).toMatchObject({ subject: "watch", body: "look north" });
});

it("Ctrl-C while the text is typed sends nothing", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { pty, output, exited } = person.onTerminal(["send", "shadow"]);
  await expect.poll(output).toContain("Ctrl-C");
  pty.write("look no\u0003");
  expect(await exited).toBe(130);
  expect(mail.countUnread("shadow")).toBe(0);
});

const LATER = "2999-01-01T00:00:00.000Z";

const BELLS: [BellReport, string][] = [
  [{ state: "rung", way: "socket", at: LATER, attempt: 1 }, "inferno was notified."],
  [{ state: "begun", way: "socket", at: LATER, attempt: 1 }, "inferno has started on it."],
  [{ state: "rung", way: "socket", at: now, attempt: 1 }, "inferno was notified of earlier mail"],
  [{ state: "begun", way: "socket", at: now, attempt: 1 }, "inferno was notified of earlier mail"],
  [{ state: "held", why: "busy", at: now }, "it is working and will be notified by the end of its turn."],
  [{ state: "unanswered", at: now, attempt: 4 }, "was notified 4 times and has not reacted"],
];

it.each(BELLS)("the report of the recipient's relay, %o, is shown", async (bell, sentence) => {
  await using person = makePerson();
  const mail = person.army();
  const relay = startRelayLookalike(person.sandbox, person.relayDir(), "inferno");
  poseAsRelay(mail, "inferno", { relay });
  const sending = person.start(["send", "inferno", "go"]);
  await expect.poll(() => mail.unread("inferno", { handedOut: false }), { interval: 5 }).toHaveLength(1);
  poseAsRelay(mail, "inferno", { relay, bell, heard: mail.unread("inferno", { handedOut: false })[0] });
  expect((await sending.ended).stdout).toContain(sentence);
});

it("a message that was read at once is reported as such, with --json in one document", async () => {
  await using person = makePerson();
  const mail = person.army("second");
  poseAsRelay(mail, "inferno", {
    relay: startRelayLookalike(person.sandbox, person.relayDir("second"), "inferno"),
  });
  const sending = person.start(["send", "inferno", "go", "--json", "--session", "second"]);
  await expect.poll(() => mail.unread("inferno", { handedOut: false }), { interval: 5 }).toHaveLength(1);
  const [message] = mail.claim("inferno").messages;
  const { code, stdout } = await sending.ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    session: "second",
    id: message?.id,
    to: "inferno",
    subject: "go",
    stored: true,
    bell: "taken",
  });
});

it("a relay that does not answer is not waited for longer than two seconds", async () => {
  await using person = makePerson();
  const relay = startRelayLookalike(person.sandbox, person.relayDir(), "inferno");
  poseAsRelay(person.army(), "inferno", { relay });
  const began = performance.now();
  const { stdout } = await person.ovld(["send", "inferno", "go"]);
  expect(stdout).toContain("ovld does not know yet whether inferno was notified");
  expect(performance.now() - began).toBeLessThan(20_000);
});

it("without an army of that name nothing is created, exit 3", async () => {
  await using person = makePerson();
  expect(await person.ovld(["send", "inferno", "go"])).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining("There is no army called overlord."),
  });
  const japanese = await person.ovld(["send", "inferno", "go", "--session", "x"], {
    env: { OVLD_LANG: "ja" },
  });
  expect(japanese).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("x という軍勢はありません。"),
  });
});

it("an empty message and one that is too long are refused, and nothing is stored", async () => {
  await using person = makePerson();
  const mail = person.army();
  expect(await person.ovld(["send", "inferno"], { input: " \n" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is empty"),
  });
  const input = "x".repeat(LIMITS.bodyBytes * 3);
  expect(await person.ovld(["send", "inferno"], { input })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the limit is 65536 bytes"),
  });
  expect(mail.countUnread("inferno")).toBe(0);
});

it.each([
  [["send", "infreno", "x"], '"infreno" is not a valid value for ROLE. Did you mean inferno?'],
  [["send", "king", "x"], "Use one of: overlord, strategist, inferno, glacier, shadow, storm."],
  [["send"], "ROLE is missing."],
  [["send", "storm", "a", "b"], '"b" is one argument too many.'],
  [["send", "storm", "--subject"], "--subject needs a value."],
])("%o is refused with a suggestion, exit 2", async (args, sentence) => {
  await using person = makePerson();
  const { code, stderr } = await person.ovld(args);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
});

it("the answer is in Japanese for a Japanese environment", async () => {
  await using person = makePerson();
  person.army();
  const { stdout } = await person.ovld(["send", "inferno", "丘を取れ"], { env: { LANG: "ja_JP.UTF-8" } });
  expect(stdout).toMatch(
    /inferno 宛ての手紙を保存しました（\S+）。\ninferno のエージェントは動いていません。/,
  );
});
