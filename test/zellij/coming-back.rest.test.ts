import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { crashArmy } from "../support/crash-army.ts";
import { stopCall } from "../support/stop-call.ts";
import { letter } from "../support/store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const SUMMON = ["summon", "--detached", "--no-rituals"];

function archiveDir(world: ZellijWorld): string {
  return join(world.sandbox.home, ".config/ovld/archive");
}

function archives(world: ZellijWorld): string[] {
  return existsSync(archiveDir(world)) ? readdirSync(archiveDir(world)) : [];
}

function configure(world: ZellijWorld, text: string): void {
  mkdirSync(join(world.sandbox.home, ".config/ovld"), { recursive: true });
  writeFileSync(join(world.sandbox.home, ".config/ovld/config.toml"), text);
}

function deliverLetter(world: ZellijWorld): string {
  return openMail(world.relayDir()).deliver(letter).id;
}

/** As the strategist's relay reads its mail. */
function readMail(world: ZellijWorld): object[] {
  const claim = openMail(world.relayDir()).claim("strategist");
  claim.settle();
  return claim.messages;
}

it("Z11.1 M2.2 unsummon leaves no inbox, status or pending, and its archive brings every message back", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  const id = deliverLetter(world);
  openMail(world.relayDir()).setStatus("inferno", "working", "digging");
  const { stdout } = await world.ovld("unsummon");
  const [name = ""] = archives(world);
  expect(name).toMatch(/^overlord@\d{8}-\d{6}$/);
  expect(stdout).toContain("1 waiting message (strategist 1) will be kept in the archive.\n");
  expect(stdout).toContain(`In the archive for 30 days, with 1 waiting message (strategist 1): ${name}.`);
  expect(existsSync(world.relayDir())).toBe(false);

  const { code, stdout: back } = await world.ovld(...SUMMON, "--resume");
  expect([code, back]).toEqual([0, expect.stringContaining("was ended with ovld unsummon")]);
  expect(back).toContain("Waiting mail: strategist 1.\n");
  expect(archives(world)).toEqual([]);
  const mail = openMail(world.relayDir());
  expect(mail.peekStatus("inferno")).toMatchObject({ status: "working", task: "digging" });
  expect(mail.army()).not.toHaveProperty("archive");
  expect(mail.army()).not.toHaveProperty("ended");
  const [message, ...others] = readMail(world);
  expect(message).toMatchObject({ id, subject: "order" });
  expect(others).toEqual([]);
  expect(readMail(world)).toEqual([]);
  const events = [...mail.journal().next()].map(({ event }) => event).filter((event) => event !== "held");
  expect(events.slice(0, 4)).toEqual(["stored", "status", "ended", "returned"]);
});

it("practice agents take up their own conversations again when their army comes back from the archive", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON, "--agent", "practice");
  await world.ovld("send", "overlord", "A castle");
  const mail = openMail(world.relayDir());
  await waitUntil("the overlord has reported", () => mail.peekStatus("overlord").status === "done", {
    timeout: 120_000,
  });
  const idsOf = (): unknown[] =>
    ROLES.map((role) => {
      const conversation = openMail(world.relayDir()).conversation(role);
      return typeof conversation === "object" ? conversation.id : conversation;
    });
  const before = idsOf();
  await world.ovld("unsummon");
  expect(JSON.parse((await world.ovld("armies", "--json")).stdout).armies).toMatchObject([
    { state: "archived", conversations: 6, unread: 2 },
  ]);
  const { stdout } = await world.ovld(...SUMMON, "--resume");
  expect(stdout).toMatch(/^Conversations, and when each was last used: overlord \d+s, .*storm \d+s ago\.$/m);
  await waitUntil("all six are back", () => resumedRoles(mail).length === ROLES.length);
  expect(idsOf()).toEqual(before);
  expect(archives(world)).toEqual([]);
});

function resumedRoles(mail: Mail): string[] {
  return [...mail.journal().next()].flatMap((each) =>
    each.event === "conversation" && each.outcome === "resumed" ? [each.role] : [],
  );
}

it("without a terminal an army that was cut off is neither lost nor resumed without asking, exit 5; --resume brings it back as it was", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  const id = deliverLetter(world);
  await crashArmy(world);
  const refused = await world.ovld(...SUMMON);
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringMatching(/was cut off.*--resume.*--fresh/) });
  expect(await world.sessions()).not.toContain("overlord");
  const json = await world.ovld(...SUMMON, "--resume", "--json");
  expect(JSON.parse(json.stdout).returned).toMatchObject({
    archive: null,
    ended: { how: "crashed" },
    unread: [{ role: "strategist", count: 1 }],
  });
  expect(readMail(world)).toEqual([expect.objectContaining({ id })]);
  expect(archives(world)).toEqual([]);
});

it("--fresh archives an army that was cut off, and it can still be brought back by its name", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  const id = deliverLetter(world);
  await crashArmy(world);
  expect((await world.ovld(...SUMMON, "--fresh")).code).toBe(0);
  expect(openMail(world.relayDir()).countUnread("strategist")).toBe(0);
  const [name = ""] = archives(world);
  expect(openMail(join(archiveDir(world), name)).army()?.ended?.how).toBe("crashed");
  await world.ovld("unsummon", "--yes", "--forget");
  expect((await world.ovld(...SUMMON, "--session", name)).code).toBe(0);
  expect(readMail(world)).toEqual([expect.objectContaining({ id })]);
});

it("without a terminal an army that was ended is started anew, and the output says how to bring it back", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  deliverLetter(world);
  await world.ovld("unsummon");
  const { code, stdout } = await world.ovld(...SUMMON);
  expect([code, stdout]).toEqual([0, expect.stringContaining("brought back with: ovld summon --resume")]);
  expect(openMail(world.relayDir()).countUnread("strategist")).toBe(0);
  expect(archives(world)).toHaveLength(1);
});

it.each([
  ["unsummon --forget", "", ["--forget"]],
  ["days = 0", "[archive]\ndays = 0", []],
])("with %s unread mail is deleted and said to be, and nothing can come back", async (_what, text, flags) => {
  await using world = makeZellijWorld();
  configure(world, text);
  await world.ovld(...SUMMON);
  deliverLetter(world);
  const { stdout } = await world.ovld("unsummon", "--yes", ...flags);
  expect(stdout).toContain("This deletes 1 waiting message (strategist 1).");
  expect(stdout).not.toContain("In the archive");
  expect(archives(world)).toEqual([]);
  expect(await world.ovld(...SUMMON, "--resume")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("can be brought back"),
  });
});

it.each([
  ["b", 1, 0],
  ["n", 0, 1],
])(
  "on a terminal summon says in three lines what can come back, and asks; %o leaves %i unread and %i in the archive",
  async (key, unread, archived) => {
    await using world = makeZellijWorld();
    await world.ovld(...SUMMON);
    deliverLetter(world);
    await world.ovld("unsummon", "--yes");
    const terminal = world.ovldOnTerminal(...SUMMON);
    await expect.poll(terminal.output).toContain("cancel (c)?");
    expect(terminal.output().replaceAll(/\r|\u001b\[\d+[GJ]/g, "")).toMatch(
      /^The last army overlord was ended with ovld unsummon \d+s ago\.\nNo conversations to resume\.\nWaiting mail: strategist 1\.\nBring it back/,
    );
    terminal.pty.write(`${key}\r`);
    expect(await terminal.exited).toBe(0);
    expect(openMail(world.relayDir()).countUnread("strategist")).toBe(unread);
    expect(archives(world)).toHaveLength(archived);
  },
);

it("cancelling the question starts nothing and loses nothing", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  deliverLetter(world);
  await world.ovld("unsummon", "--yes");
  const terminal = world.ovldOnTerminal(...SUMMON);
  await expect.poll(terminal.output).toContain("cancel (c)?");
  terminal.pty.write("c\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("Nothing was started.");
  expect(existsSync(world.relayDir())).toBe(false);
  expect(archives(world)).toHaveLength(1);
});

it("an army that Zellij refuses to open goes back into the archive, complete, and the second try brings it back", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  const id = deliverLetter(world);
  await world.ovld("unsummon");
  world.beforeZellij('[ "$1" = attach ] && exit 1');
  expect((await world.ovld(...SUMMON, "--resume")).code).toBe(1);
  expect(existsSync(world.relayDir())).toBe(false);
  expect(archives(world)).toHaveLength(1);
  world.beforeZellij("");
  expect((await world.ovld(...SUMMON, "--resume")).code).toBe(0);
  expect(readMail(world)).toEqual([expect.objectContaining({ id })]);
});

it("mail that was read while Zellij failed to open the army is not unread in the archive again", async () => {
  await using world = makeZellijWorld({ OVLD_TEST_ZELLIJ: process.env["OVLD_TEST_ZELLIJ"] ?? "zellij" });
  await world.ovld(...SUMMON);
  const id = deliverLetter(world);
  openMail(world.relayDir()).setStatus("inferno", "working", "digging");
  await world.ovld("unsummon");
  const file = join(world.relayDir(), `inbox/strategist/${id}.json`);
  world.beforeZellij(`[ "$1" = attach ] && { "$OVLD_TEST_ZELLIJ" "$@"; rm '${file}'; exit 1; }`);
  expect((await world.ovld(...SUMMON, "--resume")).code).toBe(1);
  expect(await world.sessions()).toBe("");
  const [name = "", ...others] = archives(world);
  expect(others).toEqual([]);
  const archive = openMail(join(archiveDir(world), name));
  expect(archive.countUnread("strategist")).toBe(0);
  expect(archive.peekStatus("inferno").task).toBe("digging");
});

it.each([
  ["before the session is made", "kill -KILL $PPID; exit 1;", 0],
  ["when the session is up", '"$OVLD_TEST_ZELLIJ" "$@"; kill -KILL $PPID; exit;', 5],
])(
  "a summon that is killed %s has lost nothing that it brings back, and the second try has the army",
  async (_step, lines, code) => {
    await using world = makeZellijWorld({ OVLD_TEST_ZELLIJ: process.env["OVLD_TEST_ZELLIJ"] ?? "zellij" });
    await world.ovld(...SUMMON);
    const id = deliverLetter(world);
    await world.ovld("unsummon");
    world.beforeZellij(`[ "$1" = attach ] && { ${lines} }`);
    expect((await world.ovld(...SUMMON, "--resume")).code).toBe(null);
    expect(archives(world)).toHaveLength(1);
    world.beforeZellij("");
    // If the session is running, there is nothing to do but attach to it.
    expect((await world.ovld(...SUMMON, "--resume")).code).toBe(code);
    await expect.poll(() => world.panes()).toHaveLength(6);
    expect(archives(world)).toEqual([]);
    expect(readMail(world)).toEqual([expect.objectContaining({ id })]);
  },
);

it("summons that fail or are killed change neither when the army was cut off, nor the log: it came back once", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  deliverLetter(world);
  await crashArmy(world);
  const lookAtEnd = async (): Promise<{ at: string }> =>
    JSON.parse((await world.ovld("armies", "--json")).stdout).armies[0].ended;
  const ended = await lookAtEnd();
  for (const lines of ["exit 1", "{ kill -KILL $PPID; exit 1; }"]) {
    world.beforeZellij(`[ "$1" = attach ] && ${lines}`);
    expect((await world.ovld(...SUMMON, "--resume")).code).not.toBe(0);
    expect(await lookAtEnd()).toEqual(ended);
  }
  world.beforeZellij("");
  expect((await world.ovld(...SUMMON, "--resume")).code).toBe(0);
  const returned = [...openMail(world.relayDir()).journal().next()].filter(
    ({ event }) => event === "returned",
  );
  expect(returned).toMatchObject([{ ended: ended.at, how: "crashed" }]);
});

it("an archived army whose name a running one has is not brought back over it, exit 5", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  deliverLetter(world);
  await world.ovld("unsummon");
  const [name = ""] = archives(world);
  await world.ovld(...SUMMON);
  expect(await world.ovld(...SUMMON, "--session", name)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("The name overlord is already used"),
  });
  await crashArmy(world);
  deliverLetter(world);
  expect((await world.ovld(...SUMMON, "--session", name)).code).toBe(0);
  // The one that was cut off has taken its place in the archive.
  expect(archives(world)).toHaveLength(1);
  expect(archives(world)).not.toEqual([name]);
});

it("an army is brought back where its folder was moved to, and the output says so; one whose folder still exists is not brought back elsewhere, exit 5", async () => {
  await using world = makeZellijWorld();
  const [old, moved] = [join(world.sandbox.root, "old"), join(world.sandbox.root, "moved")];
  mkdirSync(old);
  await world.ovldIn(old, ...SUMMON);
  deliverLetter(world);
  await crashArmy(world);
  expect(await world.ovld(...SUMMON, "--resume")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(`worked in ${old}. Run the command there`),
  });
  renameSync(old, moved);
  const { code, stdout } = await world.ovldIn(moved, ...SUMMON, "--resume");
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`It worked in ${old}, which no longer exists.`),
  ]);
  expect(openMail(world.relayDir()).army()?.folder).toBe(moved);
});

it("an army is brought back with the agent program it ran, whatever the configuration says now, and with no other, exit 5", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  deliverLetter(world);
  await world.ovld("unsummon");
  configure(world, 'agent = "practice"');
  expect(await world.ovld(...SUMMON, "--resume", "--agent", "practice")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("practice cannot resume its conversations"),
  });
  const { code, stdout } = await world.ovld(...SUMMON, "--resume");
  expect([code, stdout]).toEqual([0, expect.stringContaining("It ran claude and comes back with claude")]);
});

it.each([
  ["damaged", "{", "is damaged"],
  ["of a newer format", '{"format":9}', "was written by a newer version of ovld"],
])(
  "an army's file that is %s is told, exit 4, and --fresh keeps it as it is",
  async (_what, text, sentence) => {
    await using world = makeZellijWorld();
    openMail(world.relayDir()).deliver(letter);
    writeFileSync(join(world.relayDir(), "army.json"), text);
    expect(await world.ovld(...SUMMON, "--resume")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(sentence),
    });
    expect((await world.ovld(...SUMMON, "--fresh")).code).toBe(0);
    const [name = ""] = archives(world);
    expect(readFileSync(join(archiveDir(world), name, "army.json"), "utf8")).toBe(text);
  },
);

it("an army with other roles than this ovld has does not come back, exit 5, and --fresh keeps it", async () => {
  await using world = makeZellijWorld();
  const mail = openMail(world.relayDir());
  mail.deliver(letter);
  const roles = ["king", "queen"];
  mail.recordArmy({ folder: world.project, agent: "claude", roles, summoned: new Date(0).toISOString() });
  expect(await world.ovld(...SUMMON, "--resume")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("has other roles than this version of ovld: king, queen."),
  });
  expect((await world.ovld(...SUMMON, "--fresh")).code).toBe(0);
  expect(archives(world)).toHaveLength(1);
});

it.each([
  ["damaged", "{", "was not created by ovld or cannot be read"],
  ["of a newer format", '{"format":9}', "has format 9"],
])(
  "an archived army that is %s cannot be brought back, exit 4, and is not in the way of a new one",
  async (_what, text, sentence) => {
    await using world = makeZellijWorld();
    await world.ovld(...SUMMON);
    deliverLetter(world);
    await world.ovld("unsummon");
    const [name = ""] = archives(world);
    writeFileSync(join(archiveDir(world), name, "store.json"), text);
    expect(await world.ovld(...SUMMON, "--resume")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(sentence),
    });
    const { code, stdout } = await world.ovld(...SUMMON);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("brought back with")]);
    await world.ovld("unsummon");
    expect((await world.ovld(...SUMMON, "--fresh")).code).toBe(0);
    expect(readFileSync(join(archiveDir(world), name, "store.json"), "utf8")).toBe(text);
  },
);

it("--resume never starts an empty army: if a --fresh at the same moment has archived the army and failed, it says so, exit 3, and the next try brings the army back", async () => {
  await using world = makeZellijWorld();
  await world.ovld(...SUMMON);
  const id = deliverLetter(world);
  await crashArmy(world);
  const real = process.env["OVLD_TEST_ZELLIJ"] ?? "zellij";
  const { lines, call } = stopCall(world.sandbox.root, real, "'list-sessions --no-formatting'", "before");
  world.beforeZellij(`${lines}\n[ "$1" = attach ] && exit 1`);
  const fresh = world.start([...SUMMON, "--fresh"]);
  await waitUntil("--fresh has the lock", call.isReached);
  const resume = world.start([...SUMMON, "--resume"]);
  await waitUntil("--resume has found the army", () => resume.stdout().includes("The last army overlord"));
  call.release();
  expect((await fresh.ended).code).toBe(1);
  expect(await resume.ended).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("can be brought back. List the archived armies"),
  });
  world.beforeZellij("");
  expect((await world.ovld(...SUMMON, "--resume")).code).toBe(0);
  expect(readMail(world)).toEqual([expect.objectContaining({ id })]);
});

it("--resume and --fresh together are an error, exit 2", async () => {
  await using world = makeZellijWorld();
  expect((await world.ovld(...SUMMON, "--resume", "--fresh")).code).toBe(2);
});
