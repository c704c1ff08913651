import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { letter } from "../support/store.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { CTRL_O, ENDS, ZELLIJ, summonOn } from "../support/summon-on-terminal.ts";

it("Z1.1 Z5.1a Z5.1b Z5.1c Z7.1a Z7.1b Z8.1 Z9.1a Z9.1b on a terminal the panes are placed as the layout says", async () => {
  await using world = makeZellijWorld();
  // The bars take two rows; with 300 left, every percent is visible.
  await summonOn(world, { rows: 302 });
  expect(world.calls()).toContain(
    `--session overlord --new-session-with-layout ${join(world.relayDir(), "layout.kdl")}`,
  );
  const panes = await world.panes();
  const places = panes.map(({ title, tab_name: tab, pane_x: x, pane_y: y, ...size }) => [
    title,
    { tab, x, y, columns: size.pane_columns, rows: size.pane_rows },
  ]);
  expect(Object.fromEntries(places)).toEqual({
    overlord: { tab: "command", x: 0, y: 1, columns: 60, rows: 300 },
    strategist: { tab: "command", x: 60, y: 1, columns: 140, rows: 300 },
    inferno: { tab: "battlefield", x: 0, y: 1, columns: 200, rows: 300 },
    glacier: { tab: "support", x: 0, y: 1, columns: 200, rows: 99 },
    shadow: { tab: "support", x: 0, y: 100, columns: 200, rows: 99 },
    storm: { tab: "support", x: 0, y: 199, columns: 200, rows: 102 },
  });
  const { stdout } = await world.zellij("--session", "overlord", "action", "list-tabs", "--json");
  expect(JSON.parse(stdout).find(({ active }: { active: boolean }) => active).name).toBe("command");
  expect(panes.find(({ title }) => title === "overlord").is_focused).toBe(true);
});

it("Z12.3 after a detach everything keeps running, and Z4.1 a second summon attaches to it", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  terminal.pty.write(CTRL_O);
  terminal.pty.write("d");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("is still running.");
  expect(terminal.output()).toContain("End it with: ovld unsummon --army overlord");
  expect(await world.panes()).toHaveLength(6);
  expect(existsSync(join(world.relayDir(), "inbox"))).toBe(true);
  expect(world.calls().filter((call) => /^(kill|delete)-session/.test(call))).toEqual([]);
  const again = world.ovldOnTerminal("summon");
  await expect.poll(() => world.calls()).toContain("attach overlord");
  await expect.poll(again.output).toContain("command");
  await world.zellij("kill-session", "overlord");
  expect(await again.exited).toBe(0);
  expect(existsSync(world.relayDir())).toBe(false);
});

it.each(ENDS)(
  "Z12.2 the mail store of a session %s that remains as EXITED is cleaned up, exit 0",
  async (_, end) => {
    await using world = makeZellijWorld();
    const terminal = await summonOn(world);
    const mail = openMail(world.relayDir());
    mail.deliver(letter);
    mail.claim(letter.to).settle();
    const events = [...mail.journal().next()].map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(["stored", "read"]));
    leaveExitedEntry(world);
    await end(world, terminal);
    expect(await terminal.exited).toBe(0);
    expect(terminal.output()).toContain(
      "The army overlord has ended, and everything it left has been cleaned up.",
    );
    expect(await world.sessions()).toBe("");
    expect(existsSync(world.relayDir())).toBe(false);
  },
);

it("Z12.1 what remains as EXITED is killed and deleted", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  const seen = join(world.sandbox.root, "seen");
  // The list at the moment of the kill.
  world.beforeZellij(`[ "$1" = kill-session ] && '${ZELLIJ}' list-sessions --no-formatting > '${seen}'`);
  leaveExitedEntry(world);
  const before = world.calls().length;
  await world.zellij("kill-session", "overlord");
  expect(await terminal.exited).toBe(0);
  expect(readFileSync(seen, "utf8")).toMatch(/^overlord \[.*\(EXITED/);
  const ends = world
    .calls()
    .slice(before)
    .filter((call) => /^(kill|delete)-session/.test(call));
  expect(ends).toEqual(["kill-session overlord", "delete-session overlord --force"]);
  expect(existsSync(exitedEntry(world))).toBe(false);
  expect(await world.sessions()).toBe("");
});

it("Z12.4 a failing kill and delete are reported and do not delay summon, which ends normally", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  world.beforeZellij('case "$1" in kill-session|delete-session) echo "not today" >&2; exit 1;; esac');
  leaveExitedEntry(world);
  const before = world.calls().length;
  await world.zellij("kill-session", "overlord");
  expect(await terminal.exited).toBe(0);
  const calls = world.calls().slice(before);
  expect(calls).toEqual(expect.arrayContaining(["kill-session overlord", "delete-session overlord --force"]));
  // Waiting ten seconds for the session to go would mean far more looks.
  expect(calls.slice(calls.indexOf("delete-session overlord --force")).length).toBeLessThan(9);
  expect(terminal.output()).toContain("Not cleaned up: Zellij reported an error (delete-session): not today");
  expect(terminal.output()).not.toContain("everything it left has been cleaned up");
  expect(existsSync(world.relayDir())).toBe(false);
});

/** What a Zellij that saves its sessions would leave. */
function leaveExitedEntry(world: ZellijWorld): void {
  mkdirSync(exitedEntry(world), { recursive: true });
  writeFileSync(join(exitedEntry(world), "session-layout.kdl"), "layout { pane; }\n");
}

function exitedEntry(world: ZellijWorld): string {
  return join(world.env["XDG_CACHE_HOME"] ?? "", "zellij/contract_version_1/session_info/overlord");
}
