import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { identifyProcess } from "../../src/system/process.ts";
import { seatStrategist } from "../support/hooked-relay.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { withoutRootsPowers } from "../support/unprivileged.ts";
import { soon } from "../support/wait-until.ts";

const start = { prefix: withoutRootsPowers() };

it.each(["inbox", "inbox/strategist", "claimed"])(
  "a relay keeps running while %s cannot be read, and then rings for the mail that has come since",
  async (name) => {
    await using sandbox = makeSandbox();
    const { agent, mail, posts } = await seatStrategist(sandbox, {}, start);
    await agent.hook("SessionStart");
    await expect.poll(() => mail.agentReport("strategist")?.state, soon).toBe("idle");
    const folder = join(sandbox.relayDir, name);
    chmodSync(folder, 0o200);
    sandbox.defer(() => chmodSync(folder, 0o700));
    mail.deliver(letter);
    // The bell looks before a hook is answered.
    await agent.hook("SessionStart");
    chmodSync(folder, 0o700);
    await expect.poll(() => posts, soon).not.toEqual([]);
    expect(identifyProcess(agent.pid)).toBeDefined();
  },
);
