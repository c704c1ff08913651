import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { makeClaudeArmy } from "../support/claude-army.ts";
import { acceptTrust } from "../support/trust-dialog.ts";
import { soon } from "../support/wait-until.ts";

it("DR2 DR3 in a folder that is not trusted nothing is typed and no agent exits; when the person has answered, the ritual follows", async () => {
  await using army = await makeClaudeArmy({ trusted: false });
  const summoning = army.world.ovld("summon", "--detached");
  await army.started();
  for (const role of ROLES) {
    const pane = army.world.pane(role);
    await expect.poll(() => pane.screen().then(withoutBlanks), soon).toContain("trustthisfolder");
  }
  // All the others keep waiting in the meantime.
  for (const role of ROLES) {
    const pane = army.world.pane(role);
    expect(withoutBlanks(await pane.screen())).toContain("❯No,exit");
    expect(await army.world.panes()).not.toContainEqual(expect.objectContaining({ exited: true }));
    await acceptTrust(pane);
    await expect.poll(() => army.served(), soon).toContain(role);
  }
  const { code, stderr } = await summoning;
  expect(code).toBe(0);
  expect(stderr).toContain(`Each agent will ask whether to trust ${army.world.project}`);
  // Roles that are found waiting at the same moment share a line.
  const waiting = stderr.matchAll(
    /^(.+): the ritual has to wait, because its pane asks whether to trust the folder\./gm,
  );
  const told = [...waiting].flatMap(([, roles = ""]) => roles.split(", "));
  expect(told.toSorted()).toEqual(ROLES.toSorted());
  expect(army.served()).toEqual(ROLES);
});

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, "");
}
