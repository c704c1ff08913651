import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { addToArchive, removeArchive } from "../../src/summon/archive/archive.ts";
import { makePerson, poseAsRelay, type Person } from "../support/person.ts";
import { fillDisk, mountSmallDisk } from "../support/small-disk.ts";
import type { CommandRun } from "../support/run-command.ts";
import { letter } from "../support/store.ts";
import { giveToNobody } from "../support/unprivileged.ts";

const HOURS_MS = 3_600_000;

function archiveDir(person: Person): string {
  return join(person.sandbox.home, ".config/ovld/archive");
}

/** An army with a history, as it lies after a crash. */
function crashed(person: Person, session: string): Mail {
  const mail = person.army(session);
  const summoned = new Date(Date.now() - 5 * HOURS_MS).toISOString();
  mail.recordArmy({ session, folder: person.project, agent: "claude", summoned });
  mail.deliver(letter);
  return mail;
}

/** One that was ended some hours ago; its name in the archive. */
function archived(person: Person, session: string, hours: number): string {
  const mail = crashed(person, session);
  const at = new Date(Date.now() - hours * HOURS_MS);
  const record = mail.army();
  if (record) mail.recordArmy({ ...record, ended: { at: at.toISOString(), how: "unsummoned" } });
  mail.note({ event: "ended", how: "unsummoned" });
  const name = addToArchive(archiveDir(person), { session, ended: at }, (path) =>
    mail.copyTo(path, { forUse: false }),
  );
  mail.cleanUp();
  return name;
}

/** As if its session were running: a session that is up has a socket. */
function raise(person: Person, session: string): void {
  const folder = join(person.env["ZELLIJ_SOCKET_DIR"] ?? "", "contract_version_1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, session), "");
}

it("armies lists what is running, what was cut off and what is archived, with folder, age, unread mail and who needs the person", async () => {
  await using person = makePerson();
  const mail = crashed(person, "alive");
  raise(person, "alive");
  poseAsRelay(mail, "storm", { bell: { state: "unanswered", at: new Date().toISOString(), attempt: 3 } });
  crashed(person, "dead");
  const older = archived(person, "first", 50);
  const newer = archived(person, "first", 3);
  const { stdout, code } = await person.ovld(["armies"]);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n").slice(1);
  expect(lines.map((line) => line.replaceAll(/ +/g, " "))).toEqual([
    `alive unknown 5h storm 1 – ${person.project}`,
    expect.stringMatching(new RegExp(`^dead cut off \\d+s – 1 – ${person.project}$`)),
    `${newer} archived 3h – 1 – ${person.project}`,
    `${older} archived 2d – 1 – ${person.project}`,
  ]);
  const json = JSON.parse((await person.ovld(["armies", "--json"])).stdout);
  expect(json.armies).toMatchObject([
    { name: "alive", state: "unknown", ended: null, unread: 1, conversations: 0, roles: { length: 6 } },
    { name: "dead", state: "crashed", ended: { how: "crashed" }, folder: person.project, agent: "claude" },
    { name: newer, state: "archived", ended: { how: "unsummoned" }, path: join(archiveDir(person), newer) },
    { name: older },
  ]);
  expect((await person.ovld(["armies", "--lang", "ja"])).stdout).toContain("アーカイブ済み");
});

it("armies --watch in a pipe prints the list again whenever it changes", async () => {
  await using person = makePerson();
  const mail = crashed(person, "dead");
  const watching = person.start(["armies", "--watch", "--json"]);
  await expect.poll(watching.stdout).toContain('"unread":1');
  mail.deliver(letter);
  await expect.poll(watching.stdout).toContain('"unread":2');
  watching.kill("SIGTERM");
  expect((await watching.ended).code).toBe(143);
});

it("where there is no army, armies says so", async () => {
  await using person = makePerson();
  expect(await person.ovld(["armies"])).toMatchObject({ code: 0, stdout: "There are no armies.\n" });
});

it("an army whose file is damaged is listed all the same, with the reason for programs", async () => {
  await using person = makePerson();
  crashed(person, "odd");
  writeFileSync(join(person.relayDir("odd"), "army.json"), "{");
  expect((await person.ovld(["armies"])).stdout).toMatch(/^odd +cut off .+ unknown$/m);
  const { armies } = JSON.parse((await person.ovld(["armies", "--json"])).stdout);
  expect(armies).toMatchObject([{ name: "odd", folder: null, trouble: { code: "army-file" } }]);
});

it("remove deletes archived armies and those that were cut off, by their names", async () => {
  await using person = makePerson();
  crashed(person, "dead");
  const [first, second] = [archived(person, "first", 3), archived(person, "second", 3)];
  expect(await person.ovld(["armies", "rm", "dead", first, "--yes"])).toMatchObject({
    code: 0,
    stdout: `dead was deleted.\n${first} was deleted.\n`,
  });
  expect(existsSync(person.relayDir("dead"))).toBe(false);
  expect(readdirSync(archiveDir(person))).toEqual([second]);
  const run = await person.ovld(["armies", "rm", second, "--yes", "--json"]);
  expect(JSON.parse(run.stdout)).toEqual({ removed: [second] });
  expect(readdirSync(archiveDir(person))).toEqual([]);
});

it("without a terminal, and with --json on one, remove deletes nothing unless --yes is used", async () => {
  await using person = makePerson();
  const name = archived(person, "first", 3);
  const words = ["armies", "rm", name];
  expect(await person.ovld(words)).toMatchObject({
    code: 2,
    stdout: "",
    stderr:
      "ovld: This cannot be undone, and ovld armies rm cannot ask you without a terminal or with --json. Use --yes if you mean it.\n",
  });
  expect((await person.ovld([...words, "--lang", "ja"])).stderr).toContain(
    "実行するには --yes を付けてください。",
  );
  const terminal = person.onTerminal([...words, "--json"]);
  expect(await terminal.exited).toBe(2);
  expect(terminal.output()).toContain('"code":"needs-yes"');
  expect(readdirSync(archiveDir(person))).toEqual([name]);
});

it.each([
  ["y", []],
  ["n", [expect.any(String)]],
])("on a terminal remove says what it deletes and asks; after %o there is %o", async (key, left) => {
  await using person = makePerson();
  const name = archived(person, "first", 3);
  const terminal = person.onTerminal(["armies", "rm", name]);
  await expect.poll(terminal.output).toContain("Delete? [y/N]");
  expect(terminal.output()).toContain(
    `This deletes ${name}: its journal, its statuses and 1 waiting message.`,
  );
  terminal.pty.write(`${key}\r`);
  expect(await terminal.exited).toBe(0);
  expect(readdirSync(archiveDir(person))).toEqual(left);
});

it("an army that was brought back while the person was asked is not reported as deleted", async () => {
  await using person = makePerson();
  const name = archived(person, "first", 3);
  const terminal = person.onTerminal(["armies", "rm", name]);
  await expect.poll(terminal.output).toContain("Delete? [y/N]");
  removeArchive(archiveDir(person), name);
  terminal.pty.write("y\r");
  expect(await terminal.exited).toBe(3);
  expect(terminal.output()).toContain("The archive has no army called");
});

it("an archive that cannot be read is reported as trouble with that folder", async () => {
  await using person = makePerson();
  mkdirSync(dirname(archiveDir(person)), { recursive: true });
  symlinkSync(archiveDir(person), archiveDir(person));
  const { code, stderr } = await person.ovld(["armies"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^ovld: The file system reported an error: ELOOP.*archive'/);
});

it.each(["--yes", "-y"])("%s does not ask", async (flag) => {
  await using person = makePerson();
  const terminal = person.onTerminal(["armies", "rm", archived(person, "first", 3), flag]);
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).not.toContain("[y/N]");
  expect(readdirSync(archiveDir(person))).toEqual([]);
});

it.each([
  [["rm", "alive"], 5, "The army alive is running. End it first"],
  [["rm", "nobody"], 3, "There is no army called nobody"],
  [["rm", "first@20200101-000000"], 3, "The archive has no army called"],
  [["rm", "../../project"], 3, "There is no army called"],
  [["rm"], 2, "NAME is missing."],
  [["delete", "first"], 2, '"delete" is not a valid value'],
])("%o is refused with exit %i, and nothing is deleted", async (words, code, sentence) => {
  await using person = makePerson();
  crashed(person, "alive");
  raise(person, "alive");
  const name = archived(person, "first", 3);
  const run = await person.ovld([
    "armies",
    words[0] ?? "",
    ...(words[0] === "rm" && words[1] ? [name] : []),
    ...words.slice(1),
  ]);
  expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(sentence)]);
  expect(readdirSync(archiveDir(person))).toEqual([name]);
  expect(openMail(person.relayDir("alive")).countUnread("strategist")).toBe(1);
});

it("an army that cannot be archived is not removed either, exit 4, unless nothing is to be kept", async () => {
  await using person = makePerson();
  const mail = crashed(person, "first");
  const env = { PATH: "/nowhere" };
  writeFileSync(archiveDir(person), "in the way");
  const run = await person.ovld(["unsummon", "--force", "--session", "first"], { env });
  expect([run.code, run.stderr]).toEqual([
    4,
    expect.stringContaining(`${archiveDir(person)} was not created`),
  ]);
  expect(mail.countUnread("strategist")).toBe(1);
  const forgetting = await person.ovld(["unsummon", "--force", "--forget", "--yes", "--session", "first"], {
    env,
  });
  expect(forgetting.code).toBe(0);
  expect(existsSync(person.relayDir("first"))).toBe(false);
});

it("on a full disk unsummon archives and removes nothing and says so, and the second try has everything", async (context) => {
  await using person = makePerson();
  const config = dirname(archiveDir(person));
  mkdirSync(dirname(config));
  mountSmallDisk(context, { ...person.sandbox, relayDir: config });
  crashed(person, "dead");
  fillDisk(join(config, "filler"));
  const { code, stderr } = await person.ovld(["unsummon", "--force", "--session", "dead"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("The disk is full")]);
  expect(openMail(person.relayDir("dead")).countUnread("strategist")).toBe(1);
  expect(existsSync(archiveDir(person)) ? readdirSync(archiveDir(person)) : []).toEqual([]);
  rmSync(join(config, "filler"));
  expect((await person.ovld(["unsummon", "--force", "--session", "dead"])).code).toBe(0);
  const [name = ""] = readdirSync(archiveDir(person));
  expect(openMail(join(archiveDir(person), name)).countUnread("strategist")).toBe(1);
  expect(existsSync(person.relayDir("dead"))).toBe(false);
});

it("unsummon removes archived armies whose time is over, and says which", async () => {
  await using person = makePerson();
  const kept = archived(person, "first", 29 * 24);
  const expired = archived(person, "first", 31 * 24);
  const { stdout } = await person.ovld(["unsummon", "--force"]);
  expect(stdout).toContain(`Removed from the archive, because they expired: ${expired}\n`);
  expect(readdirSync(archiveDir(person))).toEqual([kept]);
});

it.each([
  ["store.json", '{"format":99}'],
  ["army.json", '{"format":99}'],
])(
  "an archived army whose %s a newer ovld has written stays although its time is over, and unsummon says so",
  async (file, text) => {
    await using person = makePerson();
    const [newer, expired] = [archived(person, "first", 31 * 24), archived(person, "first", 32 * 24)];
    const path = join(archiveDir(person), newer);
    writeFileSync(join(path, file), text);
    const longAgo = new Date(Date.now() - 31 * 24 * HOURS_MS);
    utimesSync(path, longAgo, longAgo);
    const { stdout } = await person.ovld(["unsummon", "--force"]);
    expect(stdout).toContain(`because they expired: ${expired}\n`);
    expect(stdout).toContain(`because a newer version of ovld wrote them: ${newer}\n`);
    expect(readdirSync(archiveDir(person))).toEqual([newer]);
  },
);

it("an archived army that cannot be read, such as another user's, is named by armies, summon and log, is not deleted, and does not stop the others from expiring", async () => {
  await using person = makePerson();
  const [name, expired] = [archived(person, "overlord", 32 * 24), archived(person, "overlord", 31 * 24)];
  const path = join(archiveDir(person), name);
  const user = giveToNobody(person.sandbox.root);
  if (user.uid === undefined) chmodSync(path, 0);
  else chownSync(path, 0, 0);
  person.sandbox.defer(() => chmodSync(path, 0o700));
  const sentence = `ovld: The archived army ${name} cannot be read. Check the owner and the permissions of ${path}`;
  const run = (...args: string[]): Promise<CommandRun> => person.ovld(args, { user });
  const listed = await run("armies");
  expect([listed.code, listed.stdout, listed.stderr]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^${name} +archived .+ unknown$`, "m")),
    expect.stringContaining(sentence),
  ]);
  expect((await run("summon", "--detached", "--resume")).stderr).toContain(sentence);
  for (const words of [["log"], ["summon", "--detached"]]) {
    expect(await run(...words, "--session", name)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(sentence),
    });
  }
  expect((await run("armies", "rm", name, "--yes")).code).toBe(4);
  expect((await run("unsummon", "--force")).stdout).toContain(`because they expired: ${expired}\n`);
  expect(readdirSync(archiveDir(person))).toEqual([name]);
});

it("what the person sends to an army that was cut off does not change when it was cut off", async () => {
  await using person = makePerson();
  const mail = crashed(person, "dead");
  mail.note({ event: "status", role: "storm", status: "working", task: "the gate" });
  const endOf = async (): Promise<{ at: string }> =>
    JSON.parse((await person.ovld(["armies", "--json"])).stdout).armies[0].ended;
  const before = await endOf();
  expect((await person.ovld(["send", "overlord", "Are you there?", "--session", "dead"])).code).toBe(0);
  expect(await endOf()).toEqual(before);
});

it("agents are not allowed to read or edit the archive and the files with links of the desk with their own file tools", async () => {
  await using person = makePerson();
  const { stdout } = await person.ovld(["summon", "--dry-run", "--json"]);
  const { files } = JSON.parse(stdout);
  const settings = files.filter(({ path }: { path: string }) => path.includes("/settings/"));
  expect(settings).toHaveLength(6);
  for (const { content } of settings) {
    const { deny } = JSON.parse(content).permissions;
    for (const folder of [archiveDir(person), join(dirname(person.configFile), "desk")])
      expect(deny).toEqual(expect.arrayContaining([`Read(/${folder})`, `Edit(/${folder})`]));
  }
});

it("an agent may not remove an army, exit 4", async () => {
  await using person = makePerson();
  const name = archived(person, "first", 3);
  const run = await person.ovld(["armies", "rm", name], { env: { CLAUDECODE: "1" } });
  expect([run.code, run.stderr]).toEqual([
    4,
    expect.stringContaining("Only the person may run ovld armies rm"),
  ]);
  expect(readdirSync(archiveDir(person))).toEqual([name]);
});

it("log shows what happened in an archived army, in one message of it, and does not wait for more", async () => {
  await using person = makePerson();
  const name = archived(person, "first", 3);
  const { stdout, code } = await person.ovld(["log", "--session", name, "--follow"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/waiting +overlord → strategist +order/);
  expect(stdout).toContain("the army was ended with ovld unsummon\n");
  const [first = ""] = (await person.ovld(["log", "--session", name, "--json"])).stdout.split("\n");
  const story = await person.ovld(["log", JSON.parse(first).id, "--session", name]);
  expect(story.stdout).toContain("take the hill");
  expect(story.stdout).toContain("still waiting");
  expect((await person.ovld(["log", "--session", "first@20200101-000000"])).code).toBe(3);
});

it("log reaches over the gap of an army that came back, and shows it as a line, whatever the role", async () => {
  await using person = makePerson();
  const mail = crashed(person, "back");
  mail.note({ event: "returned", ended: new Date(2026, 10, 15, 14, 2, 11).toISOString(), how: "crashed" });
  mail.setStatus("storm", "working", "the gate");
  const { stdout } = await person.ovld(["log", "--session", "back", "--role", "storm"]);
  expect(stdout).toMatch(/returned +the army came back; it was cut off at 2026-11-15 14:02:11\n.*the gate/);
  expect((await person.ovld(["log", "--session", "back", "--lang", "ja"])).stdout).toContain(
    "軍勢が戻りました（2026-11-15 14:02:11 に中断しました）",
  );
});

it("a shell is offered archived armies where they can be named", async () => {
  await using person = makePerson();
  const name = archived(person, "first", 3);
  const offered = async (...words: string[]): Promise<string> =>
    (await person.ovld(["complete", ...words])).stdout;
  expect(await offered("log", "--session", "fi")).toBe(`${name}\n`);
  expect(await offered("summon", "--session", "fi")).toBe(`${name}\n`);
  expect(await offered("armies", "rm", "fi")).toBe(`${name}\n`);
  expect(await offered("status", "--session", "fi")).toBe("");
});
