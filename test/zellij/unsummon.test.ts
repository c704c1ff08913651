import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { identifyProcess } from "../../src/system/process-identity.ts";
import { OVLD } from "../support/ovld.ts";
import { letter } from "../support/store.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

/** A zombie does not count as running. */
function isRunning(pid: number): boolean {
  return identifyProcess(pid) !== undefined;
}

it("Z3.1 Z3.2 Z11.1 unsummon kills and deletes the session, and cleans up the relay folder", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  expect(await world.ovld("unsummon")).toMatchObject({ code: 0, stderr: "" });
  expect(world.calls()).toEqual(
    expect.arrayContaining(["kill-session overlord", "delete-session overlord --force"]),
  );
  expect(await world.sessions()).toBe("");
  expect(existsSync(world.relayDir())).toBe(false);
});

it("no agent and no relay survives, not even one that ignores the hang-up", async () => {
  await using world = makeZellijWorld({ RECORDER_STUBBORN: "1" });
  await world.ovld("summon", "--detached", "--no-rituals");
  const pids = [...(await world.recordings()).values()].flatMap(({ pid, relay }) => [pid, relay]);
  expect(pids.every(isRunning)).toBe(true);
  const { code, stdout } = await world.ovld("unsummon");
  expect(code).toBe(0);
  expect(stdout).toContain("did not end by themselves");
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
});

it("other sessions and their processes are untouched", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals", "--session", "second");
  const other = [...(await world.recordings()).values()].map(({ pid }) => pid);
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.ovld("unsummon");
  expect(await world.sessions()).toMatch(/^second \[/);
  expect(other.every(isRunning)).toBe(true);
  expect(existsSync(world.relayDir("second"))).toBe(true);
});

it("unread mail is mentioned before the army ends", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  openMail(world.relayDir()).deliver(letter);
  expect((await world.ovld("unsummon")).stdout).toContain(
    "1 unread message (strategist 1) will be kept in the archive.",
  );
});

it("if there is nothing to end, unsummon says so and succeeds", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("unsummon")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("There is no session"),
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
  expect((await world.ovld("unsummon", "--force")).stdout).toContain("Session overlord has ended");
  thinking.pty.write("y\r");
  expect(await thinking.exited).toBe(0);
});

it("a session that ovld did not summon is not ended, exit 5, except with --force", async () => {
  await using world = makeZellijWorld();
  await world.zellij("attach", "--create-background", "mine");
  expect(await world.ovld("unsummon", "--session", "mine")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("was not summoned by ovld"),
  });
  expect(await world.sessions()).toContain("mine");
  expect((await world.ovld("unsummon", "--session", "mine", "--force")).code).toBe(0);
  expect(await world.sessions()).toBe("");
});

it("without Zellij a summoned army's mail is not touched, exit 4", async () => {
  await using world = makeZellijWorld({ PATH: "/nowhere" });
  openMail(world.relayDir()).deliver(letter);
  expect((await world.ovld("unsummon")).code).toBe(4);
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
  await world.ovld("unsummon", "--force");
  await expect.poll(() => output, { timeout: 10_000 }).toContain("still here");
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

it("--force does not ask", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const terminal = world.ovldOnTerminal("unsummon", "--force");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).not.toContain("[y/N]");
});

function configure(world: ZellijWorld, text: string): void {
  mkdirSync(join(world.sandbox.home, ".config/ovld"), { recursive: true });
  writeFileSync(join(world.sandbox.home, ".config/ovld/config.toml"), text);
}

it.each([
  ['wake = "loud"\nsession = "mine"', "wake must be one of these"],
  ['session = "mine"\nwake = = "pane"', "is not valid TOML"],
])(
  "with --force an invalid configuration, %o, is reported, and the army it names is ended",
  async (text, sentence) => {
    await using world = makeZellijWorld();
    await world.ovld("summon", "--detached", "--no-rituals", "--session", "mine");
    openMail(world.relayDir()).init();
    configure(world, text);
    expect((await world.ovld("unsummon")).code).toBe(4);
    const { code, stderr } = await world.ovld("unsummon", "--force");
    expect([code, stderr]).toEqual([0, expect.stringContaining(sentence)]);
    expect(await world.sessions()).toBe("");
    expect([world.relayDir(), world.relayDir("mine")].filter(existsSync)).toEqual([world.relayDir()]);
  },
);

it("if an invalid configuration leaves unclear which army is meant, even --force ends only one that is named", async () => {
  await using world = makeZellijWorld();
  openMail(world.relayDir()).init();
  configure(world, 'sesion = "mine"');
  expect(await world.ovld("unsummon", "--force")).toMatchObject({ code: 4, stdout: "" });
  expect(existsSync(world.relayDir())).toBe(true);
  expect((await world.ovld("unsummon", "--force", "--session", "overlord")).code).toBe(0);
  expect(existsSync(world.relayDir())).toBe(false);
});
