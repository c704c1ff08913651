import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { OVLD } from "../support/ovld.ts";
import { letter } from "../support/store.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

it("unread mail is mentioned before the army ends", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  openMail(world.relayDir()).deliver(letter);
  expect((await world.ovld("unsummon")).stdout).toContain(
    "1 waiting message (strategist 1) will be kept in the archive.",
  );
});

it("if there is nothing to end, unsummon says so and succeeds", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("unsummon")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("There is no army"),
  });
  expect(await world.ovld("unsummon", "--all")).toMatchObject({ code: 0, stdout: "There are no armies.\n" });
});

it("what a dead session left is still cleaned up, and files it did not create are left and named", async () => {
  await using world = makeZellijWorld();
  openMail(world.relayDir()).deliver(letter);
  mkdirSync(join(world.relayDir(), "mcp"));
  writeFileSync(join(world.relayDir(), "mine.txt"), "mine");
  const { code, stdout } = await world.ovld("unsummon");
  expect(code).toBe(0);
  expect(stdout).toContain(`did not create it: ${join(world.relayDir(), "mine.txt")}`);
  expect(existsSync(join(world.relayDir(), "inbox"))).toBe(false);
  expect(existsSync(join(world.relayDir(), "mcp"))).toBe(false);
});

it("--all ends every army", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.ovld("summon", "--detached", "--no-rituals", "--session", "second");
  expect((await world.ovld("unsummon", "--all")).code).toBe(0);
  expect(await world.sessions()).toBe("");
  expect([world.relayDir(), world.relayDir("second")].filter(existsSync)).toEqual([]);
});

it("on a terminal unsummon asks first, and no means no", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const no = world.ovldOnTerminal("unsummon");
  await expect.poll(no.output).toContain("End it? [y/N]");
  no.pty.write("n\r");
  expect(await no.exited).toBe(0);
  expect(await world.panes()).toHaveLength(6);
  const yes = world.ovldOnTerminal("unsummon");
  await expect.poll(yes.output).toContain("End it? [y/N]");
  yes.pty.write("y\r");
  expect(await yes.exited).toBe(0);
  expect(await world.sessions()).toBe("");
});

it("while one person decides, another need not wait", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const thinking = world.ovldOnTerminal("unsummon");
  await expect.poll(thinking.output).toContain("End it? [y/N]");
  expect((await world.ovld("unsummon", "--yes")).stdout).toContain("The army overlord has ended");
  thinking.pty.write("y\r");
  expect(await thinking.exited).toBe(0);
});

it("a session that ovld did not summon is not ended, exit 5, except with --force, and then only after a yes", async () => {
  await using world = makeZellijWorld();
  await world.zellij("attach", "--create-background", "mine");
  for (const flags of [[], ["--yes"]])
    expect(await world.ovld("unsummon", "--army", "mine", ...flags)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("was not summoned by ovld"),
    });
  expect(await world.ovld("unsummon", "--army", "mine", "--force")).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("Use --yes if you mean it."),
  });
  const terminal = world.ovldOnTerminal("unsummon", "--army", "mine", "--force");
  await expect.poll(terminal.output).toContain("End it? [y/N]");
  terminal.pty.write("n\r");
  expect(await terminal.exited).toBe(0);
  expect(await world.sessions()).toContain("mine");
  expect((await world.ovld("unsummon", "--army", "mine", "--force", "--yes")).code).toBe(0);
  expect(await world.sessions()).toBe("");
});

it("without Zellij a summoned army's mail is not touched, exit 4", async () => {
  await using world = makeZellijWorld({ PATH: "/nowhere" });
  openMail(world.relayDir()).deliver(letter);
  for (const flags of [[], ["--yes"]]) expect((await world.ovld("unsummon", ...flags)).code).toBe(4);
  expect(openMail(world.relayDir()).countUnread("strategist")).toBe(1);
  expect((await world.ovld("unsummon", "--force")).code).toBe(0);
  expect(existsSync(world.relayDir())).toBe(false);
});

it("a relay that a person started from a shell is ended, and the shell is not", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.recordings();
  const env = {
    ...world.env,
    OVLD_ROLE: "storm",
    OVLD_RELAY_DIR: world.relayDir(),
    OVLD_SESSION: "overlord",
  };
  const relay = `'${process.execPath}' '${OVLD}' relay; echo "still here"`;
  const shell = spawn("bash", ["-c", relay], { env, stdio: ["pipe", "pipe", "ignore"] });
  shell.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  let output = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await expect.poll(() => output).toContain("send_message");
  await world.ovld("unsummon", "--yes");
  await expect.poll(() => output).toContain("still here");
});

it("a relay folder that is a link is refused, exit 4, and its target is left alone", async () => {
  await using world = makeZellijWorld();
  const elsewhere = join(world.sandbox.root, "elsewhere");
  mkdirSync(elsewhere);
  mkdirSync(join(world.sandbox.home, ".config/ovld"), { recursive: true });
  openMail(elsewhere).deliver(letter);
  const before = readdirSync(elsewhere, { recursive: true });
  symlinkSync(elsewhere, world.relayDir());
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(4);
  expect((await world.ovld("unsummon")).code).toBe(4);
  expect(readdirSync(elsewhere, { recursive: true })).toEqual(before);
});

it("--force asks, and -y does not", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const forcing = world.ovldOnTerminal("unsummon", "--force");
  await expect.poll(forcing.output).toContain("End it? [y/N]");
  forcing.pty.write("\r");
  expect(await forcing.exited).toBe(0);
  expect(await world.sessions()).toMatch(/^overlord /);
  const terminal = world.ovldOnTerminal("unsummon", "-y");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).not.toContain("[y/N]");
  expect(await world.sessions()).toBe("");
});

it.each([
  ["--forget", ""],
  ["--session", "[archive]\ndays = 0\n"],
])(
  "without a terminal, ending an army of which nothing is kept (%s, configuration %o) needs --yes",
  async (flag, text) => {
    await using world = makeZellijWorld();
    await world.ovld("summon", "--detached", "--no-rituals");
    configure(world, text);
    const words = ["unsummon", flag, ...(flag === "--session" ? ["overlord"] : [])];
    expect(await world.ovld(...words)).toMatchObject({
      code: 2,
      stdout: "",
      stderr:
        "ovld: This cannot be undone, and ovld unsummon cannot ask you without a terminal or with --json. Use --yes if you mean it.\n",
    });
    expect(await world.sessions()).toMatch(/^overlord /);
    expect((await world.ovld(...words, "--yes")).code).toBe(0);
    expect(await world.sessions()).toBe("");
  },
);

function configure(world: ZellijWorld, text: string): void {
  mkdirSync(join(world.sandbox.home, ".config/ovld"), { recursive: true });
  writeFileSync(join(world.sandbox.home, ".config/ovld/config.toml"), text);
}

it.each([
  ['wake = "loud"\nsession = "mine"', "wake must be one of these"],
  ['session = "mine"\nwake = = "pane"', "is not valid TOML"],
])(
  "with an invalid configuration, %o, an army is ended only if it is named, and the person is told that the defaults apply",
  async (text, sentence) => {
    await using world = makeZellijWorld();
    await world.ovld("summon", "--detached", "--no-rituals", "--army", "mine");
    openMail(world.relayDir()).init();
    configure(world, text);
    for (const flags of [[], ["--yes"], ["--force"]])
      expect((await world.ovld("unsummon", ...flags)).code).toBe(4);
    const { code, stderr } = await world.ovld("unsummon", "--army", "mine");
    expect([code, stderr]).toEqual([0, expect.stringContaining(sentence)]);
    expect(stderr).toContain("The default settings apply instead.");
    expect(await world.sessions()).toBe("");
    expect([world.relayDir(), world.relayDir("mine")].filter(existsSync)).toEqual([world.relayDir()]);
  },
);
