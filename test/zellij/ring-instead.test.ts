import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { substituteRinger } from "../../src/bell/ring-instead.ts";
import type { AgentReport } from "../../src/mail/agent-report.ts";
import { openMail } from "../../src/mail/mail.ts";
import { kdlString } from "../../src/zellij/layout/kdl-string.ts";
import { letter } from "../support/store.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const report: AgentReport = {
  role: "strategist",
  relay: "1-0",
  state: "gone",
  since: "2026-11-15T00:00:00.000Z",
  evidence: "none",
  bell: { bell: "quiet" },
};

/** A pane that draws an empty composer and writes down what is typed into it. */
async function openPanes(world: ZellijWorld, ...names: string[]): Promise<string> {
  const typed = join(world.sandbox.root, "typed");
  const drawn = join(world.sandbox.root, "drawn.mjs");
  writeFileSync(
    drawn,
    `import { appendFileSync } from "node:fs";
let text = "";
const draw = () => process.stdout.write("\\u001b[2J\\u001b[H" + "─".repeat(20) + "\\r\\n❯\\u00a0" + text + "\\r\\n" + "─".repeat(20) + "\\r\\n");
process.stdin.setRawMode(true);
process.stdin.on("data", (bytes) => {
  appendFileSync(${JSON.stringify(typed)}, bytes);
  const word = bytes.toString();
  text = word === "\\r" ? "" : text + word;
  draw();
});
draw();`,
  );
  const panes = names.map(
    (name) =>
      `pane name=${kdlString(name)} command=${kdlString(process.execPath)} { args ${kdlString(drawn)}; }`,
  );
  const layout = join(world.sandbox.root, "panes.kdl");
  writeFileSync(layout, `session_serialization false\nlayout {\n${panes.join("\n")}\n}\n`);
  await world.zellij("attach", "--create-background", "army", "options", "--default-layout", layout);
  await expect.poll(async () => (await world.panes("army")).length, { timeout: 10_000 }).toBe(names.length);
  return typed;
}

async function ring(world: ZellijWorld): Promise<string | undefined> {
  const mail = openMail(world.relayDir("army"));
  mail.deliver(letter);
  const zellij = process.env["OVLD_TEST_ZELLIJ"] ?? "zellij";
  const { env } = world;
  return substituteRinger({ by: "overlord", ringer: "2-0", session: "army", zellij, mail, env })(
    "strategist",
    report,
  );
}

function flagStands(world: ZellijWorld): boolean {
  return existsSync(join(world.relayDir("army"), "pending/strategist"));
}

it("D3 DR2 the trigger and then a lone Enter are typed into the pane of that name, whichever has the focus", async () => {
  await using world = makeZellijWorld();
  const typed = await openPanes(world, "overlord", "strategist");
  expect(await ring(world)).toBeUndefined();
  expect(readFileSync(typed, "utf8")).toMatch(
    /^\[MESSAGE from overlord\] You have mail, note \w+\. Call check_inbox\.\r$/,
  );
  expect(flagStands(world)).toBe(true);
  expect(await ring(world)).toBe("already rung");
});

it("M3.2 a role without a pane, as after a rename, is an outcome of that name, and no flag stands", async () => {
  await using world = makeZellijWorld();
  const typed = await openPanes(world, "overlord", "strategist");
  await world.zellij("--session", "army", "action", "rename-pane", "--pane-id", "terminal_1", "mine");
  expect(await ring(world)).toBe("no-pane");
  expect(existsSync(typed)).toBe(false);
  expect(flagStands(world)).toBe(false);
});

it("two panes of one name are an outcome of that name: nothing is typed into either", async () => {
  await using world = makeZellijWorld();
  const typed = await openPanes(world, "strategist", "strategist");
  expect(await ring(world)).toBe("two-panes");
  expect(existsSync(typed)).toBe(false);
  expect(flagStands(world)).toBe(false);
});

it("a pane that was closed, and a session that was killed, are outcomes of that name", async () => {
  await using world = makeZellijWorld();
  await openPanes(world, "overlord", "strategist");
  await world.zellij("--session", "army", "action", "close-pane", "--pane-id", "terminal_1");
  expect(await ring(world)).toBe("no-pane");
  await world.zellij("kill-session", "army");
  await expect.poll(() => world.sessions()).not.toContain("army");
  expect(await ring(world)).toBe("session-gone");
  expect(flagStands(world)).toBe(false);
});

it("a Zellij server that was killed is an outcome of that name, soon, and no flag stands", async () => {
  await using world = makeZellijWorld();
  await openPanes(world, "overlord", "strategist");
  process.kill(serverOf(world), "SIGKILL");
  expect(await ring(world)).toBe("session-gone");
  expect(flagStands(world)).toBe(false);
});

/** The server whose socket lies in this world's folder. */
function serverOf(world: ZellijWorld): number {
  const socket = join(world.env["ZELLIJ_SOCKET_DIR"] ?? "", "contract_version_1", "army");
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => commandLine(pid).includes(`--server\0${socket}`));
  return Number(found);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
