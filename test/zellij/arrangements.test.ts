import { expect, it } from "vitest";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { letter } from "../support/store.ts";
import type { Terminal } from "../support/terminal.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { soon } from "../support/wait-until.ts";

/** The panes of the third tab, and that tab. */
const [GLACIER, SHADOW, STORM] = ["terminal_3", "terminal_4", "terminal_5"] as const;
const SUPPORT = ["--tab-id", "2"];

const float = ["toggle-pane-embed-or-floating", "--pane-id", GLACIER];

/** What a person may do with their panes, and how Zellij then lists glacier's. */
const ARRANGEMENTS: [what: string, seen: Record<string, unknown>, ...actions: string[][]][] = [
  ["floats", { is_floating: true }, float],
  ["is hidden with all that floats", { is_floating: true }, float, ["hide-floating-panes", ...SUPPORT]],
  ["fills the screen", { is_fullscreen: true }, ["toggle-fullscreen", "--pane-id", GLACIER]],
  ["is behind one that fills the screen", {}, ["toggle-fullscreen", "--pane-id", STORM]],
  ["is in a tab in sync", {}, ["toggle-active-sync-tab", ...SUPPORT]],
  ["is in a tab that has moved", { tab_position: 1 }, ["move-tab", ...SUPPORT, "left"]],
  // In a stack only one pane is taller than a line.
  [
    "is stacked with the others",
    { is_focused: true },
    ["stack-panes", "--", GLACIER, SHADOW, STORM],
    ["focus-pane-id", GLACIER],
  ],
  ["is in a tab that is not in view", { tab_name: "support" }, ["new-tab", "--name", "mine"]],
];

const MODES = ["locked", "pane", "tab", "resize", "move", "scroll", "session", "tmux", "normal"];

interface Watched {
  world: ZellijWorld;
  mail: Mail;
  act: ZellijWorld["zellij"];
  terminal: Terminal;
}

/** An army that is woken only by typing, with a person attached. */
async function summonWatched(): Promise<Watched> {
  const world = makeZellijWorld({ OVLD_WAKE: "pane" });
  const terminal = world.ovldOnTerminal("summon", "--agent", "practice", "--no-rituals");
  await expect.poll(terminal.output, soon).toContain("battlefield");
  const mail = openMail(world.relayDir());
  await expect.poll(() => mail.agentReport("glacier")?.state, soon).toBe("idle");
  const act = (...words: string[]) => world.zellij("--session", "overlord", "action", ...words);
  await act("go-to-tab-name", "support");
  return { world, mail, act, terminal };
}

/** The roles that received a prompt with this beginning, once per prompt. */
function heard(world: ZellijWorld, beginning: string): string[] {
  const prompts = world.record().filter(({ event }) => event === "submitted");
  return prompts.filter(({ prompt }) => prompt?.startsWith(beginning)).map(({ role }) => role);
}

async function expectBell(world: ZellijWorld, mail: Mail): Promise<void> {
  const before = heard(world, "[MESSAGE from human]");
  mail.deliver({ ...letter, from: "human", to: "glacier" });
  await expect.poll(() => heard(world, "[MESSAGE from human]"), soon).toEqual([...before, "glacier"]);
  await expect.poll(() => mail.countUnread("glacier"), soon).toBe(0);
  await expect.poll(() => mail.agentReport("glacier")?.state, soon).toBe("idle");
}

it.each(ARRANGEMENTS)(
  "a bell and a ritual for a role whose pane %s land there, once and nowhere else",
  async (_what, seen, ...actions) => {
    const { world, mail, act } = await summonWatched();
    await using _ = world;
    for (const words of actions) await act(...words);
    const pane = async (): Promise<unknown> => (await world.panes()).find(({ id }) => id === 3);
    await expect.poll(pane, soon).toMatchObject(seen);
    await expectBell(world, mail);
    expect(await world.ovld("ritual", "glacier")).toMatchObject({ code: 0, stderr: "" });
    expect(heard(world, "#")).toEqual(["glacier"]);
  },
  120_000,
);

it("in every input mode of the person, a bell lands in its pane, once and nowhere else", async () => {
  const { world, mail, act } = await summonWatched();
  await using _ = world;
  for (const mode of MODES) {
    expect([mode, (await act("switch-mode", mode)).code]).toEqual([mode, 0]);
    await expectBell(world, mail);
  }
}, 200_000);

/** A person's own layout, into which their panes can be arranged in two ways. */
const SWAPPED = `layout {
  tab name="command" { pane; }
  tab name="battlefield" { pane; }
  tab name="support" { pane; }
  swap_tiled_layout name="columns" { tab { pane split_direction="vertical" { children; }; }; }
  swap_tiled_layout name="rows" { tab { pane split_direction="horizontal" { children; }; }; }
}
`;

it("with swap layouts, and wherever its pane is moved, a bell lands in it, once and nowhere else", async () => {
  const { world, mail, act } = await summonWatched();
  await using _ = world;
  const place = async (): Promise<string> => {
    const pane = (await world.panes()).find(({ id }) => id === 3);
    return pane && `${pane.pane_x} ${pane.pane_y} ${pane.pane_columns}`;
  };
  const moves = [
    ["override-layout", "--retain-existing-terminal-panes", "--layout-string", SWAPPED],
    ["next-swap-layout"],
    ["move-pane", "--pane-id", GLACIER, "down"],
    ["previous-swap-layout"],
  ];
  for (const move of moves) {
    const before = await place();
    await act(...move);
    await expect.poll(place, soon).not.toBe(before);
    await expectBell(world, mail);
  }
}, 200_000);

it("with two people in the army, whose terminals keep changing their size, a bell lands in its pane, once and nowhere else", async () => {
  const { world, mail, terminal } = await summonWatched();
  await using _ = world;
  const other = world.zellijOnTerminal("attach", "overlord");
  const clients = async (): Promise<number> =>
    (await world.zellij("--session", "overlord", "action", "list-clients")).stdout.split("\n").length;
  await expect.poll(clients, soon).toBeGreaterThan(3);
  const sizes = [
    [80, 24],
    [120, 40],
    [200, 50],
    [100, 60],
  ] as const;
  let turn = 0;
  const resizing = setInterval(() => {
    turn += 1;
    const [columns, rows] = sizes[turn % sizes.length] ?? sizes[0];
    (turn % 3 === 0 ? terminal : other).pty.resize(columns, rows);
  }, 170);
  try {
    for (let bell = 1; bell <= 6; bell += 1) await expectBell(world, mail);
  } finally {
    clearInterval(resizing);
  }
  expect(turn).toBeGreaterThan(6);
}, 200_000);
