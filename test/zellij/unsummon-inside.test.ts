import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { identifyProcess } from "../../src/system/process.ts";
import { OVLD } from "../support/ovld.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld } from "../support/zellij.ts";

it.each([
  ["", async () => {}],
  [
    "whose session was renamed",
    async (zellij: (...args: string[]) => Promise<unknown>) => {
      await zellij("--session", "work", "action", "rename-session", "mine");
    },
  ],
])(
  "a person who ends their own army %s ends that one, without a trace of an abort",
  async (_which, rename) => {
    await using world = makeZellijWorld();
    await world.ovld("summon", "--detached", "--no-rituals");
    await world.recordings();
    await world.ovld("summon", "--detached", "--no-rituals", "--session", "work");
    await rename(world.zellij);
    const session = /^(work|mine) \[/m.exec(await world.sessions())?.[1] ?? "";
    const said = join(world.sandbox.root, "said");
    const pid = join(world.sandbox.root, "pid");
    const command = `echo $$ > ${pid}; exec '${process.execPath}' '${OVLD}' unsummon --yes > ${said} 2>&1`;
    // Zellij sometimes loses an action; a person would see that and try again.
    for (let attempt = 1; attempt <= 3 && !existsSync(pid); attempt += 1) {
      await world.zellij("--session", session, "action", "new-pane", "--", "bash", "-c", command);
      await waitUntil("the command runs", () => existsSync(pid), { timeout: 8_000 }).catch(() => {});
    }
    await expect.poll(() => existsSync(world.relayDir("work"))).toBe(false);
    const runs = (): boolean => identifyProcess(Number(readFileSync(pid, "utf8"))) !== undefined;
    await expect.poll(runs).toBe(false);
    expect(readFileSync(said, "utf8")).toMatch(
      new RegExp(
        `^This ends the army ${session}.*\n([0-9]+ process(es)? .*\n)?The army ${session} has ended.*\n$`,
      ),
    );
    expect(await world.sessions()).toMatch(/^overlord \[/);
    expect(existsSync(world.relayDir())).toBe(true);
  },
);
