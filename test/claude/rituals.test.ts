import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { makeClaudeArmy, type ClaudeArmy } from "../support/claude-army.ts";
import { packagedRitual } from "../support/packaged-ritual.ts";
import { soon } from "../support/wait-until.ts";

it("R2.1 R4 DG5 six real Claude Codes each submit their own ritual as their first prompt, byte for byte, once", async () => {
  await using army = await makeClaudeArmy({ trusted: true });
  expect(await army.world.ovld("summon", "--detached")).toMatchObject({ code: 0, stderr: "" });
  // The prompts have been taken, but the model may not have been asked yet.
  await expect.poll(() => army.served(), soon).toEqual(ROLES);
  expect(army.conversations()).toHaveLength(6);
  for (const texts of army.conversations()) {
    const all = texts.join("\n");
    const counts = ROLES.map((role) => all.split(packagedRitual(role).trim()).length - 1);
    expect(counts.toSorted((one, other) => one - other)).toEqual([0, 0, 0, 0, 0, 1]);
  }
});

it("R7 after /clear the model still sees the ritual, without any typing of ours", async () => {
  await using army = await makeClaudeArmy({ trusted: true });
  await army.world.ovld("summon", "--detached");
  await expect.poll(() => army.served(), soon).toEqual(ROLES);
  const [before, known] = [army.model.requests.length, sessionsOf(army)];
  const conversation = () => openMail(army.world.relayDir()).conversation("storm");
  expect([...known]).toContain(idOf(conversation()));
  const storm = army.world.pane("storm");
  for (const prompt of ["/clear", "Who are you?"]) {
    await storm.type(prompt);
    await expect.poll(() => storm.composer(), soon).toBe(prompt);
    await storm.type("\r");
    await expect.poll(() => storm.composer(), soon).toBe("");
  }
  await expect.poll(() => army.model.requests.length, soon).toBeGreaterThan(before);
  const asked = army.model.requests.slice(before).find(({ session }) => !known.has(session));
  const sent = JSON.stringify(asked?.messages);
  expect(sent).toContain("Who are you?");
  expect(sent).toContain("The conversation was cleared. This is the ritual of your role again");
  expect(sent).toContain(JSON.stringify(packagedRitual("storm").trim()).slice(1, -1));
  // The next start would continue in the new conversation, and need no ritual.
  expect(idOf(conversation())).toBe(asked?.session);
  expect(conversation()).toMatchObject({
    ritual: expect.any(String),
    transcript: expect.stringContaining(asked?.session ?? "?"),
  });
});

function sessionsOf({ model }: ClaudeArmy): Set<string> {
  return new Set(model.requests.map(({ session }) => session));
}

function idOf(conversation: ReturnType<Mail["conversation"]>): string | undefined {
  return typeof conversation === "object" ? conversation.id : undefined;
}
