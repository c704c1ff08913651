import { afterAll, beforeAll, expect, it } from "vitest";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { letter } from "../support/store.ts";
import type { Terminal } from "../support/terminal.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { soon, waitUntil } from "../support/wait-until.ts";

/** The panes of the third tab, and that tab. */
const [GLACIER, SHADOW, STORM] = ["terminal_3", "terminal_4", "terminal_5"] as const;
const SUPPORT = ["--tab-id", "2"];

const float = ["toggle-pane-embed-or-floating", "--pane-id", GLACIER];
const fill = (pane: string): string[] => ["toggle-fullscreen", "--pane-id", pane];
const sync = ["toggle-active-sync-tab", ...SUPPORT];

interface Arrangement {
  what: string;
  /** How Zellij then lists glacier's pane. */
  seen: Record<string, unknown>;
  actions: string[][];
  back: string[][];
}

/** What a person may do with their panes. */
const ARRANGEMENTS: Arrangement[] = [
  { what: "floats", seen: { is_floating: true }, actions: [float], back: [float] },
  {
    what: "is hidden with all that floats",
    seen: { is_floating: true },
    actions: [float, ["hide-floating-panes", ...SUPPORT]],
    back: [float],
  },
  {
    what: "fills the screen",
    seen: { is_fullscreen: true },
    actions: [fill(GLACIER)],
    back: [fill(GLACIER)],
  },
  { what: "is behind one that fills the screen", seen: {}, actions: [fill(STORM)], back: [fill(STORM)] },
  { what: "is in a tab in sync", seen: {}, actions: [sync], back: [sync] },
  {
    what: "is in a tab that has moved",
    seen: { tab_position: 1 },
    actions: [["move-tab", ...SUPPORT, "left"]],
    back: [["move-tab", ...SUPPORT, "right"]],
  },
  {
    what: "is in a tab that is not in view",
    seen: { tab_name: "support" },
    actions: [["new-tab", "--name", "mine"]],
    back: [["go-to-tab-name", "support"]],
  },
];

const MODES = ["locked", "pane", "tab", "resize", "move", "scroll", "session", "tmux", "normal"];

interface Watched {
  world: ZellijWorld;
  mail: Mail;
  terminal: Terminal;
  act: ZellijWorld["zellij"];
  /** Glacier's pane, as Zellij lists it. */
  glacier: () => Promise<any>;
}

/** An army that is woken only by typing, with a person attached. */
async function summonWatched(world: ZellijWorld): Promise<Watched> {
  const terminal = world.ovldOnTerminal("summon", "--agent", "practice", "--no-rituals");
  await waitUntil("the person sees the army", () => terminal.output().includes("battlefield"));
  const mail = openMail(world.relayDir());
  await waitUntil("glacier is idle", () => mail.agentReport("glacier")?.state === "idle");
  const act: Watched["act"] = (...words) => world.zellij("--session", "overlord", "action", ...words);
  await act("go-to-tab-name", "support");
  const glacier = async (): Promise<any> => (await world.panes()).find(({ id }) => id === 3);
  return { world, mail, terminal, act, glacier };
}

/** One army for all tests that can put its panes back. */
const camp = makeZellijWorld({ OVLD_WAKE: "pane" });
let army: Watched;
beforeAll(async () => void (army = await summonWatched(camp)));
afterAll(() => camp[Symbol.asyncDispose]());

/** The roles that received a prompt with this beginning, once per prompt. */
function heard({ world }: Watched, beginning: string): string[] {
  const prompts = world.record().filter(({ event }) => event === "submitted");
  return prompts.filter(({ prompt }) => prompt?.startsWith(beginning)).map(({ role }) => role);
}

async function expectBell(watched: Watched): Promise<void> {
  const { mail } = watched;
  const before = heard(watched, "[MESSAGE from human]");
  mail.deliver({ ...letter, from: "human", to: "glacier" });
  await expect.poll(() => heard(watched, "[MESSAGE from human]"), soon).toEqual([...before, "glacier"]);
  await expect.poll(() => mail.countUnread("glacier"), soon).toBe(0);
  await expect.poll(() => mail.agentReport("glacier")?.state, soon).toBe("idle");
}

async function expectBellAndRitual(): Promise<void> {
  await expectBell(army);
  const before = heard(army, "#");
  expect(await camp.ovld("rituals", "give", "glacier")).toMatchObject({ code: 0, stderr: "" });
  expect(heard(army, "#")).toEqual([...before, "glacier"]);
}

it.each(ARRANGEMENTS.map((each) => [each.what, each] as const))(
  "a bell and a ritual for a role whose pane %s land there, once and nowhere else",
  async (_, { seen, actions, back }) => {
    for (const words of actions) await army.act(...words);
    try {
      await expect.poll(army.glacier, soon).toMatchObject(seen);
      await expectBellAndRitual();
    } finally {
      for (const words of back) await army.act(...words);
    }
  },
);

it("in every input mode of the person, a bell lands in its pane, once and nowhere else", async () => {
  for (const mode of MODES) {
    expect([mode, (await army.act("switch-mode", mode)).code]).toEqual([mode, 0]);
    await expectBell(army);
  }
});

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
  await using world = makeZellijWorld({ OVLD_WAKE: "pane" });
  const watched = await summonWatched(world);
  const place = async (): Promise<string> => {
    const pane = await watched.glacier();
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
    await watched.act(...move);
    await expect.poll(place, soon).not.toBe(before);
    await expectBell(watched);
  }
});

it("a bell and a ritual for a role whose pane is stacked with the others land there, once and nowhere else", async () => {
  // In a stack only one pane is taller than a line.
  await army.act("stack-panes", "--", GLACIER, SHADOW, STORM);
  await army.act("focus-pane-id", GLACIER);
  await expect.poll(army.glacier, soon).toMatchObject({ is_focused: true });
  await expectBellAndRitual();
});

async function countClientLines(): Promise<number> {
  return (await army.act("list-clients")).stdout.split("\n").length;
}

it("with two people in the army, whose terminals keep changing their size, a bell lands in its pane, once and nowhere else", async () => {
  const other = camp.zellijOnTerminal("attach", "overlord");
  await expect.poll(countClientLines, soon).toBeGreaterThan(3);
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
    (turn % 3 === 0 ? army.terminal : other).pty.resize(columns, rows);
  }, 170);
  try {
    for (let bell = 1; bell <= 6; bell += 1) await expectBell(army);
  } finally {
    clearInterval(resizing);
  }
  expect(turn).toBeGreaterThan(6);
});
