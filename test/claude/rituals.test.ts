import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { claudeEnv, claudeProgram } from "../support/claude.ts";
import { startModel, type StandInModel } from "../support/model.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

interface ClaudeWorld extends ZellijWorld {
  model: StandInModel;
}

/** Six real Claude Codes, through a wrapper that keeps whatever else is installed out of it. */
async function makeClaudeWorld({ trusted }: { trusted: boolean }): Promise<ClaudeWorld> {
  const world = makeZellijWorld();
  const model = await startModel(world.sandbox, () => "understood");
  const { PATH: _, ...env } = claudeEnv(world.sandbox, model.url, trusted ? [world.project] : []);
  Object.assign(world.env, env);
  const flags = "--permission-mode manual --strict-mcp-config";
  writeFileSync(
    join(world.sandbox.root, "bin/claude"),
    `#!/bin/sh\nexec '${claudeProgram()}' ${flags} "$@"\n`,
  );
  return Object.assign(world, { model });
}

function packaged(role: Role): string {
  return readFileSync(join(process.cwd(), "rituals", `${role}.md`), "utf8");
}

/** Every text in a prompt of the person's that the model was sent, per Claude. */
function promptsSeen({ requests }: StandInModel): string[][] {
  const sessions = new Map<string, string[]>();
  for (const { session, messages } of requests) sessions.set(session, messages.flatMap(textsIn));
  return [...sessions.values()];
}

function textsIn({ role, content }: { role: string; content: unknown }): string[] {
  if (role !== "user") return [];
  if (!Array.isArray(content)) return [String(content)];
  return content.map(({ text }) => String(text));
}

function rolesServed({ model }: ClaudeWorld): Role[] {
  return ROLES.filter((role) => promptsSeen(model).some((texts) => texts.includes(packaged(role))));
}

async function screenOf(world: ClaudeWorld, role: Role): Promise<string> {
  const pane = (await world.panes()).find(({ title }) => title === role);
  return (
    await world.zellij("--session", "overlord", "action", "dump-screen", "--pane-id", `terminal_${pane?.id}`)
  ).stdout;
}

it("R4 R2.1 six real Claude Codes each submit their own ritual as their first prompt, byte for byte, once", async () => {
  await using world = await makeClaudeWorld({ trusted: true });
  expect(await world.ovld("summon", "--detached")).toMatchObject({ code: 0, stderr: "" });
  expect(rolesServed(world)).toEqual(ROLES);
  expect(promptsSeen(world.model)).toHaveLength(6);
  for (const texts of promptsSeen(world.model)) {
    const all = texts.join("\n");
    const served = ROLES.filter((role) => all.includes(packaged(role).trim()));
    expect(served).toHaveLength(1);
    expect(all.split(packaged(served[0] ?? "overlord").trim())).toHaveLength(2);
  }
}, 240_000);
