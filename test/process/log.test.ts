import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import type { Mail } from "../../src/mail/mail.ts";
import { textWidth } from "../../src/terminal/text-width.ts";
import { OVLD } from "../support/ovld.ts";
import { makePerson } from "../support/person.ts";
import { parseLines } from "../support/read-lines.ts";
import { letter } from "../support/store.ts";

/** A message to which everything happens, and one that is never read. */
function playHistory(mail: Mail): { told: string; unread: string } {
  const told = mail.deliver({ ...letter, subject: "the hill", body: "Take the hill\nby night." }).id;
  mail.note({ event: "held", role: "strategist", why: "busy", ids: [told] });
  mail.note({ event: "rung", role: "strategist", way: "socket", attempt: 1, ids: [told] });
  mail.note({ event: "begun", role: "strategist", way: "socket", ids: [told] });
  mail.claim("strategist").settle();
  mail.note({ event: "ritual", role: "storm", outcome: "given" });
  mail.setStatus("inferno", "working", "digging");
  const unread = mail.deliver({
    ...letter,
    from: "human",
    to: "storm",
    subject: "wind",
    priority: "urgent",
  }).id;
  mail.note({ event: "unanswered", role: "storm", attempt: 3, ids: [unread] });
  return { told, unread };
}

it("all messages and events are listed in order, one line each, without colours in a pipe", async () => {
  await using person = makePerson();
  const { told, unread } = playHistory(person.army());
  const { code, stdout } = await person.ovld(["log"]);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d$/);
  const shapes = lines
    .slice(1)
    .map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, "").replaceAll(/ {2,}/g, " | "));
  expect(shapes).toEqual([
    `waiting | overlord → strategist | the hill | ${told}`,
    "held | strategist | the hill: it is working and will be notified by the end of its turn",
    "notified | strategist | the hill | by its socket",
    "working | strategist | the hill | by its socket",
    `read | strategist | the hill | ${told}`,
    "ritual | storm | has its ritual",
    "status | inferno | working: digging",
    `waiting | human → storm | [urgent] wind | ${unread}`,
    "unanswered | storm | wind | attempt 3",
  ]);
});

it("on a terminal each role has its colour, and no line is wider than the terminal", async () => {
  await using person = makePerson();
  const mail = person.army();
  playHistory(mail);
  mail.setStatus("glacier", "working", "氷".repeat(200));
  const { output, exited } = person.onTerminal(["log"], { OVLD_LANG: "ja" });
  expect(await exited).toBe(0);
  expect(output()).toContain("\u001b[35moverlord\u001b[0m → \u001b[36mstrategist\u001b[0m");
  const lines = stripVTControlCharacters(output()).split("\r\n");
  expect(lines.join()).toContain("保留");
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(200);
  const columns = lines
    .filter((line) => /strategist|storm/.test(line))
    .map((line) => line.search(/overlord|strategist|storm|human/));
  const widths = lines
    .filter((line) => /strategist|storm/.test(line))
    .map((line, at) => textWidth(line.slice(0, columns[at])));
  expect(new Set(widths)).toEqual(new Set(widths.slice(0, 1)));
});

it.each([
  [{ NO_COLOR: "1" }, false],
  [{ TERM: "dumb" }, false],
  [{ FORCE_COLOR: "1" }, true],
])("colours obey %o on a terminal: %o", async (env, coloured) => {
  await using person = makePerson();
  playHistory(person.army());
  const { output, exited } = person.onTerminal(["log"], env);
  await exited;
  expect(output().includes("\u001b[35m")).toBe(coloured);
});

it("--json prints one object per line, and --role, --grep and --since filter", async () => {
  await using person = makePerson();
  const { told } = playHistory(person.army());
  const events = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await person.ovld(["log", "--json", ...args]);
    return parseLines(stdout).map(({ event, role, to }) => `${event} ${role ?? to}`);
  };
  expect(await events()).toHaveLength(9);
  expect(await events("--role", "inferno")).toEqual(["status inferno"]);
  expect(await events("--role", "overlord")).toEqual([
    "stored strategist",
    "held strategist",
    "rung strategist",
    "begun strategist",
    "read strategist",
  ]);
  expect(await events("--grep", "BY NIGHT", "--role", "strategist")).toHaveLength(5);
  expect(await events("--grep", "dig")).toEqual(["status inferno"]);
  expect(await events("--grep", told)).toHaveLength(5);
  expect(await events("--since", "1h")).toHaveLength(9);
  expect(await events("--since", "2099-01-01")).toEqual([]);
  expect(await person.ovld(["log", "--since", "soon"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"soon" is not a valid time.'),
  });
});

it("the whole story of one message is shown by the beginning of its id", async () => {
  await using person = makePerson();
  const { told, unread } = playHistory(person.army());
  const { code, stdout } = await person.ovld(["log", told.slice(0, -2)]);
  expect(code).toBe(0);
  expect(stdout).toContain(`${told}\noverlord → strategist: the hill\n\nTake the hill\nby night.\n\n`);
  expect(stdout).toMatch(/read +strategist .+ s after it was sent/);
  expect(stdout).not.toContain("wind");
  const waiting = await person.ovld(["log", unread]);
  expect(waiting.stdout).toContain("still waiting");
  const json = JSON.parse((await person.ovld(["log", unread, "--json"])).stdout);
  expect(json).toMatchObject({ id: unread, unread: true, message: { from: "human", subject: "wind" } });
  expect(json.entries).toHaveLength(2);
});

it("an id that is unknown, or matches several messages, is reported", async () => {
  await using person = makePerson();
  const { told } = playHistory(person.army());
  expect(await person.ovld(["log", "zzz"])).toMatchObject({
    code: 1,
    stderr: 'ovld: There is no message "zzz" in the journal. See the ids with ovld log.\n',
  });
  expect((await person.ovld(["log", told.slice(0, 4)])).stderr).toContain("2 messages begin with");
});

it("--follow shows what happens, and ends with the army", async () => {
  await using person = makePerson();
  const mail = person.army();
  const following = person.start(["log", "--follow", "--json"]);
  const first = mail.deliver(letter).id;
  await expect.poll(following.stdout).toContain(first);
  const second = mail.deliver(letter).id;
  await expect.poll(following.stdout).toContain(second);
  mail.cleanUp();
  expect(await following.ended).toMatchObject({ code: 0, stderr: "The army overlord has ended.\n" });
});

it("--follow ends on Ctrl-C with 130, and when its reader has gone", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { told } = playHistory(mail);
  const { pty, output, exited } = person.onTerminal(["log", "--follow"]);
  await expect.poll(output).toContain(told);
  pty.write("\u0003");
  expect(await exited).toBe(130);
  const command = `"${process.execPath}" "${OVLD}" log --follow | head -1; echo "\${PIPESTATUS[0]}"`;
  const shell = spawn("bash", ["-c", command], { env: person.env, stdio: ["ignore", "pipe", "ignore"] });
  let stdout = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  // A reader that is gone is noticed with the next line.
  const news = setInterval(() => mail.deliver(letter), 200);
  person.sandbox.defer(() => clearInterval(news));
  await once(shell, "close");
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d\n0\n$/);
});

it("a damaged journal and a missing one are read as far as possible", async () => {
  await using person = makePerson();
  const { told } = playHistory(person.army());
  const journal = join(person.relayDir(), "journal.jsonl");
  appendFileSync(journal, '\u0000\u0001{"at":\n{"event":"stored"}\nhalf a li');
  expect((await person.ovld(["log"])).stdout).toContain(told);
  rmSync(journal);
  expect(await person.ovld(["log"])).toEqual({ code: 0, stdout: "", stderr: "" });
});

it("without an army of that name log exits with 3", async () => {
  await using person = makePerson();
  expect((await person.ovld(["log", "--session", "nobody"])).code).toBe(3);
});

it("-n shows only the newest entries of those that are wanted, and --follow goes on from there", async () => {
  await using person = makePerson();
  const mail = person.army();
  playHistory(mail);
  const events = async (...words: string[]): Promise<string[]> =>
    parseLines((await person.ovld(["log", "--json", ...words])).stdout).map(({ event }) => event);
  expect(await events("-n", "2")).toEqual(["stored", "unanswered"]);
  expect(await events("--newest", "1", "--role", "inferno")).toEqual(["status"]);
  expect(await events("-n", "1000")).toHaveLength(9);
  const following = person.start(["log", "--json", "-n", "1", "--follow"]);
  await expect.poll(following.stdout).toContain("unanswered");
  mail.setStatus("glacier", "working", "freezing");
  await expect.poll(following.stdout).toContain("freezing");
  following.kill("SIGTERM");
  const { stdout } = await following.ended;
  expect(parseLines(stdout).map(({ event }) => event)).toEqual(["unanswered", "status"]);
  for (const wrong of ["0", "-3", "some", ""]) expect((await person.ovld(["log", "-n", wrong])).code).toBe(2);
});

it("--after shows everything after the first entry about a message, also later ones, and an unknown id is an error", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { told, unread } = playHistory(mail);
  const eventsAfter = async (id: string, ...words: string[]): Promise<string[]> =>
    parseLines((await person.ovld(["log", "--json", "--after", id, ...words])).stdout).map(
      ({ event }) => event,
    );
  expect(await eventsAfter(unread)).toEqual(["unanswered"]);
  const all = ["held", "rung", "begun", "read", "ritual", "status", "stored", "unanswered"];
  expect(await eventsAfter(told)).toEqual(all);
  expect(await eventsAfter(told.slice(0, -1))).toEqual(all);
  expect(await eventsAfter(told, "-n", "2", "--since", "1h")).toEqual(["stored", "unanswered"]);
  const following = person.start(["log", "--json", "--after", unread, "--follow"]);
  await expect.poll(following.stdout).toContain("unanswered");
  const next = mail.deliver({ ...letter, subject: "later" }).id;
  await expect.poll(following.stdout).toContain(next);
  following.kill("SIGTERM");
  expect(parseLines((await following.ended).stdout).map(({ event }) => event)).toEqual([
    "unanswered",
    "stored",
  ]);
  const unknown = await person.ovld(["log", "--after", "0mzzz", "--json"]);
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse(unknown.stderr).error).toMatchObject({ code: "no-such-message", facts: { id: "0mzzz" } });
});
