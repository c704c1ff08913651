import { expect, it } from "vitest";
import type { Conversation } from "../../src/mail/records/conversation.ts";
import { openMail } from "../../src/mail/mail.ts";
import { soon } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const DAY_MS = 86_400_000;

function conversation(world: ZellijWorld): Conversation {
  const found = openMail(world.relayDir()).conversation("storm");
  if (typeof found !== "object") throw new Error("storm has no conversation");
  return found;
}

it("ovld restart restarts an agent that was started while the clock was a day ahead", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--agent", "practice", "--no-rituals");
  const mail = openMail(world.relayDir());
  await expect.poll(() => mail.agentReport("storm")?.state, soon).toBe("idle");
  const before = conversation(world);
  mail.recordConversation({ ...before, started: new Date(Date.now() + DAY_MS).toISOString() });
  expect(await world.ovld("restart", "storm")).toMatchObject({ code: 0 });
  const after = conversation(world).agent;
  expect(after).not.toBe(before.agent);
  expect(mail.agentReport("storm")).toMatchObject({ agent: after });
});
