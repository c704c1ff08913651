import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeZellijWorld } from "../support/zellij.ts";

it("without HOME, but with XDG_CONFIG_HOME, an army is summoned, shown and ended; its folder of notes is named with all links resolved", async () => {
  await using world = makeZellijWorld();
  const folder = (name: string): string => {
    const path = join(world.sandbox.root, name);
    mkdirSync(path);
    return path;
  };
  delete world.env["HOME"];
  // Otherwise Zellij and the agent would ask the system for the home folder of the user who runs this.
  const elsewhere = { XDG_DATA_HOME: folder("data"), XDG_STATE_HOME: folder("state") };
  const dotfiles = folder("dotfiles");
  const config = join(world.sandbox.root, "config");
  symlinkSync(dotfiles, config);
  const claude = folder("claude");
  Object.assign(world.env, elsewhere, { XDG_CONFIG_HOME: config, CLAUDE_CONFIG_DIR: claude });
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0 });
  await world.recordings();
  const relayDir = join(config, "ovld/relay");
  const { mcpServers } = JSON.parse(readFileSync(join(relayDir, "mcp/storm.json"), "utf8"));
  expect(mcpServers["ovld-relay"].env.OVLD_INSIGHT_DIR).toContain(
    join(realpathSync(dotfiles), "ovld/insight/"),
  );
  expect((await world.ovld("status")).stdout).toContain("The army overlord is running.");
  expect((await world.ovld("unsummon", "--yes")).code).toBe(0);
  expect(existsSync(relayDir)).toBe(false);
});
