import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { pause } from "../../src/system/async.ts";
import { identifyProcess } from "../../src/system/process.ts";
import { kdlString } from "../../src/zellij/layout.ts";
import { OVLD } from "../support/ovld.ts";
import { passBy, STARTING_CALLS, type StoppedCall } from "../support/stop-call.ts";
import { letter } from "../support/store.ts";
import type { Terminal } from "../support/terminal.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { CTRL_O, CTRL_Q, ENDS, ZELLIJ, summonOn } from "../support/summon-on-terminal.ts";

it.each(ENDS)(
  "Z12.2 the store of a session %s is cleaned up; its unread mail goes into the archive, and its number is printed",
  async (_, end) => {
    await using world = makeZellijWorld();
    const terminal = await summonOn(world);
    const mail = openMail(world.relayDir());
    // A bell that is being rung in the moment of a quit would keep the session alive.
    world.beforeZellij('case "$*" in *" action "*) exit 1;; esac');
    const { id } = mail.deliver(letter);
    mail.setStatus("storm", "working", "the gate");
    await end(world, terminal);
    expect(await terminal.exited).toBe(0);
    expect(terminal.output()).toContain("everything it left has been cleaned up");
    expect(terminal.output()).toContain("In the archive for 30 days, with 1 waiting message (strategist 1)");
    expect(await world.sessions()).toBe("");
    expect(existsSync(world.relayDir())).toBe(false);
    world.beforeZellij("");
    expect((await world.ovld("summon", "--detached", "--no-rituals", "--resume")).code).toBe(0);
    expect(openMail(world.relayDir()).unread(letter.to, { handedOut: true })).toEqual([id]);
    expect(openMail(world.relayDir()).status("storm").task).toBe("the gate");
  },
);

it("a Zellij that fails after a detach does not cost the army or its mail: it is reported, exit 1", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  world.beforeZellij('[ "$1" = list-sessions ] && exit 7');
  terminal.pty.write(CTRL_O);
  terminal.pty.write("d");
  expect(await terminal.exited).toBe(1);
  expect(terminal.output()).toContain("list-sessions");
  expect(await world.panes()).toHaveLength(6);
  expect(existsSync(join(world.relayDir(), "store.json"))).toBe(true);
});

it.each<[how: string, keys: string, says: string, panes: number]>([
  ["quit", CTRL_Q, "The army overlord has ended, and everything it left has been cleaned up.", 0],
  ["left", `${CTRL_O}d`, "The army overlord is still running.", 6],
])(
  "Z12.2 Z12.3 a session that was %s is not asked before its slow server knows what becomes of it",
  async (_how, keys, says, panes) => {
    await using world = makeZellijWorld();
    const { terminal, server, go } = await pressKeysAtSlowServer(world, keys);
    expect(identifyProcess(server)).toBeDefined();
    const before = world.calls();
    await pause(2_000);
    expect(world.calls()).toEqual(before);
    go();
    expect(await terminal.exited).toBe(0);
    expect(terminal.output()).toContain(says);
    expect(await world.panes()).toHaveLength(panes);
    expect(existsSync(world.relayDir())).toBe(panes > 0);
  },
);

it("Z12.2 a server that needs long to end, after it has given up its socket, is waited for: its army has ended", async () => {
  await using world = makeZellijWorld();
  const socket = join(world.env["ZELLIJ_SOCKET_DIR"] ?? "", "contract_version_1/overlord");
  const { terminal, server, go } = await pressKeysAtSlowServer(world, CTRL_Q);
  // It would have come so far itself in a moment that is too short to be met.
  rmSync(socket);
  // Longer than a server is given that rests.
  await pause(10_000);
  expect(identifyProcess(server)).toBeDefined();
  go();
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain(
    "The army overlord has ended, and everything it left has been cleaned up.",
  );
  expect(existsSync(world.relayDir())).toBe(false);
});

/** The server stands still while ovld learns that the client is gone, and until `go`; then it finds the keys. */
async function pressKeysAtSlowServer(world: ZellijWorld, keys: string) {
  const file = join(world.sandbox.root, "client");
  world.beforeZellij(
    `[ "$3" = --new-session-with-layout ] && { echo $$ > '${file}'; exec '${ZELLIJ}' "$@"; }`,
  );
  const terminal = await summonOn(world);
  const [server, client] = [world.server(), Number(readFileSync(file, "utf8"))];
  const send = (signal: NodeJS.Signals): void => {
    if (identifyProcess(server) !== undefined) process.kill(server, signal);
  };
  const go = (): void => send("SIGCONT");
  world.sandbox.defer(go);
  send("SIGSTOP");
  await waitUntil("the client has drawn everything", () => isAtRest(client));
  for (const key of keys) {
    const before = writtenBy(client);
    terminal.pty.write(key);
    await waitUntil("the client has passed it on", () => writtenBy(client) > before && isAtRest(client));
  }
  // A server that is not stopped would let it go.
  process.kill(client, "SIGKILL");
  await waitUntil("the client is gone", () => identifyProcess(client) === undefined);
  return { terminal, server, go };
}

/** Whether each of its threads waits for something. */
function isAtRest(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((each) => readFileSync(`/proc/${pid}/task/${each}/stat`, "utf8").includes(") S "));
}

function writtenBy(pid: number): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
}

it("Z12.3 a session that a quit did not end, because another program was talking to it, is said to be running", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  const other = connect(join(world.env["ZELLIJ_SOCKET_DIR"] ?? "", "contract_version_1/overlord"));
  await once(other, "connect");
  // Its server answers a later call only after it has taken up this one.
  await world.panes();
  terminal.pty.write(CTRL_Q);
  expect(await terminal.exited).toBe(0);
  other.destroy();
  expect(terminal.output()).toContain("The army overlord is still running.");
  expect(terminal.output()).toContain("End it with: ovld unsummon --army overlord");
  expect(await world.panes()).toHaveLength(6);
  expect(existsSync(join(world.relayDir(), "store.json"))).toBe(true);
});

it("agents that ignore the hang-up do not survive a quit either", async () => {
  await using world = makeZellijWorld({ RECORDER_STUBBORN: "1" });
  const terminal = await summonOn(world);
  const pids = [...(await world.recordings()).values()].flatMap(({ pid, relay }) => [pid, relay]);
  terminal.pty.write(CTRL_Q);
  expect(await terminal.exited).toBe(0);
  await expect.poll(() => pids.filter((pid) => identifyProcess(pid) !== undefined)).toEqual([]);
});

it("an army that replaced ours while we were in it is left alone when we return", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  await world.zellij("kill-session", "overlord");
  await expect.poll(() => world.sessions()).toBe("");
  const second = await world.ovld("summon", "--detached", "--no-rituals");
  await terminal.exited;
  expect(second.code).toBe(0);
  expect(await world.panes()).toHaveLength(6);
  expect(existsSync(join(world.relayDir(), "store.json"))).toBe(true);
});

it.each<[string, (terminal: Terminal) => void]>([
  ["SIGTERM", ({ pty }) => pty.kill("SIGTERM")],
  ["a closed terminal", ({ close }) => close()],
])("%s at any step of starting the session ends summon, with the whole army or nothing", async (_, end) => {
  await using world = makeZellijWorld();
  const socket = join(world.env["ZELLIJ_SOCKET_DIR"] ?? "", "contract_version_1/overlord");
  const steps: [string, () => StoppedCall][] = [
    ...STARTING_CALLS.slice(0, -1).map((call): [string, () => StoppedCall] => [
      call,
      () => world.stopAt(call, "before"),
    ]),
    ["a socket", () => passBy(() => existsSync(socket))],
  ];
  for (const [name, stopAt] of steps) {
    const step = stopAt();
    const terminal = world.ovldOnTerminal("summon", "--no-rituals");
    await waitUntil(`summon has come to ${name}`, step.isReached, { interval: 1 });
    end(terminal);
    step.release();
    await terminal.exited;
    // A session that exists may need a moment until its panes do.
    const there = async (): Promise<string> =>
      `${(await world.panes()).length} panes, ${existsSync(world.relayDir()) ? "a" : "no"} folder`;
    await expect.poll(there).toMatch(/^(6 panes, a|0 panes, no) folder$/);
    await world.ovld("unsummon", "--yes");
  }
});

it("a Zellij that cannot start is reported, exit 1, and nothing is left behind", async () => {
  await using world = makeZellijWorld();
  world.beforeZellij('[ "$1" = --session ] && exit 1');
  const terminal = world.ovldOnTerminal("summon", "--no-rituals");
  expect(await terminal.exited).toBe(1);
  expect(terminal.output()).toContain("before there was a session");
  expect(existsSync(world.relayDir())).toBe(false);
});

it("closing the terminal leaves the session running", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  terminal.close();
  await terminal.exited;
  await expect.poll(() => world.panes()).toHaveLength(6);
  expect(existsSync(join(world.relayDir(), "store.json"))).toBe(true);
});

it("inside Zellij summon takes the person's own client to the army, without nesting clients", async () => {
  await using world = makeZellijWorld();
  const terminal = openOuter(world, "bash", ["--norc"]);
  // Keys typed before the shell shows its prompt may be lost.
  await expect.poll(terminal.output).toMatch(/bash-\d/);
  terminal.pty.write(`'${process.execPath}' '${OVLD}' summon --no-rituals\r`);
  // Only the client that was in the other session can draw the army's tabs on this terminal.
  await expect.poll(terminal.output).toContain("battlefield");
  expect(await world.panes()).toHaveLength(6);
  await expect.poll(() => world.pane("outer", "outer").screen()).toContain("Attach to it with");
  expect(world.calls().some((call) => call.includes("--new-session-with-layout"))).toBe(false);
});

it("inside Zellij a switch to the army that Zellij loses is asked for again", async () => {
  await using world = makeZellijWorld();
  const lost = join(world.sandbox.root, "lost");
  world.beforeZellij(
    `case "$*" in *switch-session*) [ -e '${lost}' ] || { touch '${lost}'; exit 0; };; esac`,
  );
  const terminal = openOuter(world, "bash", ["--norc"]);
  await expect.poll(terminal.output).toMatch(/bash-\d/);
  terminal.pty.write(`'${process.execPath}' '${OVLD}' summon --no-rituals\r`);
  await expect.poll(terminal.output).toContain("battlefield");
  // On a busy machine Zellij loses more of them by itself, or is slow to let the client go.
  expect(world.calls().filter((call) => call.includes("switch-session")).length).toBeGreaterThan(1);
});

it("inside Zellij, if no client can be moved, summon says how to switch by hand", async () => {
  await using world = makeZellijWorld();
  // Zellij moves the client in which a key was last pressed; here none ever was.
  const go = join(world.sandbox.root, "go");
  const summon = `'${process.execPath}' '${OVLD}' summon --no-rituals`;
  const terminal = openOuter(world, "bash", ["-c", `until [ -e '${go}' ]; do sleep 0.1; done; ${summon}`]);
  // Not before that session answers: a call of Zellij could remove its socket.
  await expect.poll(terminal.output).toContain("]0;outer");
  writeFileSync(go, "");
  await world.recordings();
  const says = /Switch to the army overlord with Ctrl-o w/;
  await expect.poll(() => world.pane("outer", "outer").screen()).toMatch(says);
  expect(await world.panes()).toHaveLength(6);
});

it("in a renamed session summon says how to switch by hand", async () => {
  await using world = makeZellijWorld();
  await world.zellij("attach", "--create-background", "renamed");
  Object.assign(world.env, { ZELLIJ: "0", ZELLIJ_SESSION_NAME: "outer", ZELLIJ_PANE_ID: "0" });
  const terminal = world.ovldOnTerminal("summon", "--no-rituals");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("Switch to the army overlord with Ctrl-o w");
  expect(await world.panes()).toHaveLength(6);
});

it("inside Zellij summon takes the person to an army whose session was renamed, and creates no other", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.zellij("--session", "overlord", "action", "rename-session", "mine");
  const terminal = openOuter(world, "bash", ["--norc"]);
  await expect.poll(terminal.output).toMatch(/bash-\d/);
  terminal.pty.write(`'${process.execPath}' '${OVLD}' summon\r`);
  await expect.poll(terminal.output).toContain("battlefield");
  expect(await world.sessions()).toMatch(/^mine [^\n]*\nouter [^\n]*\n$/);
});

/** A person's own session on a terminal, with one program in it. */
function openOuter(world: ZellijWorld, program: string, args: string[]): Terminal {
  const layout = join(world.sandbox.root, "outer.kdl");
  const words = args.map((word) => ` ${kdlString(word)}`).join("");
  const pane = `pane name="outer" command=${kdlString(program)} {\nargs${words}\n}`;
  // Over a layout with tabs, Zellij shows no wizard of its own.
  writeFileSync(layout, `layout {\ntab {\n${pane}\n}\n}\nsession_serialization false\n`);
  return world.zellijOnTerminal("--session", "outer", "--new-session-with-layout", layout);
}
