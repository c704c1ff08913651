import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { textWidth } from "../../src/terminal/text-width.ts";
import { makePerson, type Person, poseAsRelay } from "../support/person.ts";
import { letter } from "../support/store.ts";
import { parseLines } from "../support/read-lines.ts";

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

it("on an empty machine there is no army, exit 3, nothing is created, and armies succeeds", async () => {
  await using person = makePerson();
  expect(await person.ovld(["status"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("There is no army called overlord."),
  });
  expect(await person.ovld(["armies"])).toEqual({
    code: 0,
    stdout: "There are no armies.\n",
    stderr: "",
  });
  expect((await person.ovld(["armies", "--json"])).stdout).toBe('{"armies":[]}\n');
  expect(readdirSync(person.sandbox.home)).toEqual([]);
});

it("a dead session is reported, with what to do and how much mail waits", async () => {
  await using person = makePerson();
  const mail = person.army();
  mail.deliver(letter);
  mail.setStatus("inferno", "working", "digging");
  const { code, stdout } = await person.ovld(["status"]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    "The army overlord is not running.\nOpen it again with ovld summon, or remove what is left with ovld unsummon.\n",
  );
  expect(stdout).toMatch(/strategist +gone +1, for \d+s/);
  expect(stdout).toMatch(/inferno +gone .+ battlefield +working: digging/);
  expect(stdout).not.toContain("Needs you");
});

it("one JSON document contains everything, in no particular language", async () => {
  await using person = makePerson();
  const mail = person.army("second");
  mail.deliver(letter);
  const { stdout } = await person.ovld(["status", "--session", "second", "--json"], {
    env: { OVLD_LANG: "ja" },
  });
  const army = JSON.parse(stdout);
  expect(army).toMatchObject({ session: "second", state: "gone", trouble: null });
  expect(army.roles.map(({ role }: { role: string }) => role)).toEqual([
    "overlord",
    "strategist",
    "inferno",
    "glacier",
    "shadow",
    "storm",
  ]);
  expect(army.roles[1]).toMatchObject({
    tab: "command",
    tabNumber: 1,
    agent: { state: "gone" },
    unread: 1,
    oldest: expect.stringMatching(/^\d{4}-/),
    bell: { state: "quiet" },
  });
});

it("looking changes nothing", async () => {
  await using person = makePerson();
  person.army();
  writeFileSync(join(person.relayDir(), "status/storm.json"), "broken");
  const files = (): string[] =>
    readdirSync(person.relayDir(), { recursive: true, encoding: "utf8" }).toSorted();
  const before = files();
  await person.ovld(["status"]);
  expect(files()).toEqual(before);
});

it.each([
  ["store.json", "nonsense", "was not created by ovld or cannot be read"],
  ["store.json", '{"format":99}', "has format 99"],
])("a damaged store (%s: %s) is reported, and the rest is shown", async (file, content, sentence) => {
  await using person = makePerson();
  const mail = person.army();
  mail.deliver(letter);
  for (const role of ["storm", "shadow"]) {
    writeFileSync(join(person.relayDir(), `status/${role}.json`), "\u0000");
    mkdirSync(join(person.relayDir(), "agents"), { recursive: true });
    writeFileSync(join(person.relayDir(), `agents/${role}.json`), '{"role":');
  }
  writeFileSync(join(person.relayDir(), file), content);
  const { code, stdout } = await person.ovld(["status"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Its mail is damaged:");
  expect(stdout).toContain(sentence);
  expect(stdout).toMatch(/strategist +gone +1,/);
});

it("a link or a file instead of a folder is damage too", async () => {
  await using person = makePerson();
  person.army();
  rmSync(join(person.relayDir(), "inbox"), { recursive: true });
  symlinkSync(person.project, join(person.relayDir(), "inbox"));
  const { stdout } = await person.ovld(["status", "--json"]);
  expect(JSON.parse(stdout).trouble).toEqual({
    code: "store-foreign",
    facts: { path: join(person.relayDir(), "inbox") },
  });
});

/** As if Zellij could not be asked: there is a socket, but no Zellij is found. */
function unreachable(person: Person): Record<string, string> {
  const sockets = join(person.sandbox.root, "s/contract_version_1");
  mkdirSync(sockets, { recursive: true });
  writeFileSync(join(sockets, "overlord"), "");
  return { PATH: "/nowhere", XDG_CACHE_HOME: person.project };
}

it("what needs the person comes first, the most urgent on top, with where to go", async () => {
  await using person = makePerson();
  const mail = person.army();
  const env = unreachable(person);
  mail.setStatus("glacier", "blocked", "no key to the vault", { waitsFor: "human" });
  poseAsRelay(mail, "overlord", { since: minutesAgo(5) });
  poseAsRelay(mail, "strategist", { state: "busy", bell: { state: "held", why: "busy", at: minutesAgo(1) } });
  poseAsRelay(mail, "inferno", { bell: { state: "held", why: "draft", at: minutesAgo(1) } });
  poseAsRelay(mail, "glacier", { bell: { state: "rung", way: "socket", at: minutesAgo(1), attempt: 1 } });
  poseAsRelay(mail, "shadow", { bell: { state: "unanswered", at: minutesAgo(1), attempt: 5 } });
  poseAsRelay(mail, "storm", {
    state: "asking",
    since: minutesAgo(2),
    evidence: "registry",
    waitingFor: "permission prompt",
    pane: 5,
  });
  const { stdout } = await person.ovld(["status"], { env });
  const lines = stdout.split("\n");
  expect(lines[0]).toContain("is unknown: Zellij did not answer");
  expect(lines.slice(1, 6)).toEqual([
    "Needs you:",
    "  storm is asking you: permission prompt  →  ovld summon, then Ctrl-t 3 (tab support)",
    "  glacier asks you and waits: no key to the vault  →  ovld summon, then Ctrl-t 3 (tab support)",
    "  inferno cannot be woken for its mail: somebody is writing in its pane, so nothing was typed  →  ovld summon, then Ctrl-t 2 (tab battlefield)",
    "  shadow was notified 5 times and does not react  →  ovld summon, then Ctrl-t 3 (tab support)",
  ]);
  expect(stdout).toMatch(/overlord +idle \(5m, hook\)/);
  expect(stdout).toMatch(/strategist +working \(\d+s, hook\) +– +held 1m/);
  expect(stdout).toMatch(/glacier +idle .+ notified 1m/);
  expect(stdout).toMatch(/storm +asking you \(2m, registry\) .+ support 5/);
  expect(stdout).toContain("strategist: held: it is working and will be notified by the end of its turn");
  const inside = await person.ovld(["status"], {
    env: { ...env, ZELLIJ: "0", ZELLIJ_SESSION_NAME: "overlord" },
  });
  expect(inside.stdout).toContain("storm is asking you: permission prompt  →  Ctrl-t 3 (tab support)");
});

it("columns are aligned in Japanese, and no line is wider than the terminal", async () => {
  await using person = makePerson();
  const mail = person.army();
  const env = unreachable(person);
  for (const role of ["overlord", "strategist"] as const) {
    mail.setStatus(role, "working", "城門の調査を進める".repeat(30));
    poseAsRelay(mail, role, { state: role === "overlord" ? "idle" : "busy", since: minutesAgo(90) });
  }
  const { output, exited } = person.onTerminal(["status"], { ...env, OVLD_LANG: "ja" });
  expect(await exited).toBe(0);
  expect(output()).toContain("\u001b[35moverlord");
  const lines = stripVTControlCharacters(output()).split("\r\n");
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(200);
  const places = lines
    .filter((line) => /^(役割|overlord|strategist)/.test(line))
    .map((line) => textWidth(line.slice(0, line.search(/ペイン|command/))));
  expect(new Set(places).size).toBe(1);
});

it("--watch draws in place and restores the terminal, with the last picture", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { pty, output, exited } = person.onTerminal(["status", "--watch"]);
  await expect.poll(output).toContain("\u001b[?1049h");
  mail.setStatus("storm", "working", "raising wind");
  await expect.poll(output).toContain("raising wind");
  pty.write("\u0003");
  expect(await exited).toBe(130);
  const after = output().split("\u001b[?25h\u001b[?1049l");
  expect(after).toHaveLength(2);
  expect(after[1]).toContain("raising wind");
});

it("--watch restores the terminal when the army disappears", async () => {
  await using person = makePerson();
  const mail = person.army();
  const { output, exited } = person.onTerminal(["status", "--watch"]);
  await expect.poll(output).toContain("\u001b[?1049h");
  mail.cleanUp();
  expect(await exited).toBe(3);
  expect(output()).toMatch(/\u001b\[\?1049l[^]+There is no army called overlord/);
});

it("--watch in a pipe prints a new document whenever something changes", async () => {
  await using person = makePerson();
  const mail = person.army();
  const watching = person.start(["status", "--watch", "--json"]);
  await expect.poll(watching.stdout).toContain("\n");
  mail.setStatus("storm", "working", "raising wind");
  await expect.poll(watching.stdout).toContain("raising wind");
  watching.kill("SIGTERM");
  const { code, stdout } = await watching.ended;
  expect(code).toBe(143);
  expect(parseLines(stdout).map(({ session }) => session)).toEqual(["overlord", "overlord"]);
});
