import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { makeZellijWorld } from "../support/zellij.ts";

/** The desk asks Zellij every 30 seconds. */
const slowly = { timeout: 120_000 };

it("an army that is summoned, works, is renamed, ends and is summoned anew is seen at a desk that was open all the time", async (test) => {
  await using world = makeZellijWorld();
  const browser = await startBrowser(world.sandbox, test);
  const desk = await startDesk(world);
  const page = await browser.open(desk.link());
  await page.getByText("There is no army called overlord right now.").waitFor();
  expect((await world.ovld("summon", "--agent", "practice", "--detached")).code).toBe(0);
  await page.getByRole("heading", { name: "overlord", level: 1 }).waitFor();
  await page.locator('[data-role="overlord"]', { hasText: "idle" }).waitFor();
  await page.getByLabel("Message").fill("A tea house where dragons feel at home");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText(/overlord (was notified|has started on it)|delivered to overlord/).waitFor();
  const rows = page.locator("[data-message]");
  await expect.poll(() => rows.count()).toBeGreaterThan(8);
  await page.locator('[data-role="overlord"]', { hasText: /\d turns/ }).waitFor();
  await page.locator('[data-role="overlord"]').click();
  // Its last words stay on its screen; the wish is scrolled away by them.
  await page.locator(".screen", { hasText: "Your wish is fulfilled." }).waitFor();
  await world.zellij("--session", "overlord", "action", "rename-session", "castle");
  await page.getByRole("heading", { name: "castle", level: 1 }).waitFor();
  expect((await world.ovld("unsummon", "--yes", "--session", "castle")).code).toBe(0);
  await page.getByText("There is no army called overlord right now.").waitFor();
  await page.getByRole("button", { name: /^overlord@\d+-\d+ archived/ }).waitFor();
  const anew = ["summon", "--agent", "practice", "--fresh", "--no-rituals", "--detached"];
  expect((await world.ovld(...anew)).code).toBe(0);
  await page.getByRole("heading", { name: "overlord", level: 1 }).waitFor();
  await page.locator('[data-role="storm"]', { hasText: "idle" }).waitFor();
  expect(await rows.count()).toBe(0);
  // The campaign of the army that has ended can still be looked at.
  await page.getByRole("button", { name: /^overlord@\d+-\d+ archived/ }).click();
  await page
    .getByRole("button", { name: /A tea house/ })
    .first()
    .waitFor();
  expect(browser.errors).toEqual([]);
});

it("an agent that has died is restarted at the desk, but not without a second click", async (test) => {
  await using world = makeZellijWorld();
  const browser = await startBrowser(world.sandbox, test);
  expect((await world.ovld("summon", "--agent", "practice", "--no-rituals", "--detached")).code).toBe(0);
  const mail = openMail(world.relayDir());
  const agent = (): string => mail.agentReport("strategist")?.agent ?? "";
  await expect.poll(agent, slowly).not.toBe("");
  const desk = await startDesk(world);
  const page = await browser.open(desk.link());
  const before = agent();
  process.kill(Number.parseInt(before, 10), "SIGKILL");
  await page.getByRole("button", { name: "Restart strategist" }).click(slowly);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Restart strategist" }).click();
  expect(agent()).toBe(before);
  await page.getByRole("button", { name: "Yes, restart it" }).click();
  await page.getByText(/strategist (is running again|begins a new conversation)/).waitFor(slowly);
  expect(agent()).not.toBe(before);
  await page.getByRole("button", { name: "Restart strategist" }).waitFor({ state: "detached", ...slowly });

  // Restarting an agent that is running would end its work: a page that is behind is told so.
  const answer = await page.evaluate(async () => {
    const body = JSON.stringify({ role: "strategist" });
    const headers = { "content-type": "application/json" };
    return (await fetch("restart?army=overlord", { method: "POST", headers, body })).json();
  });
  expect(answer).toEqual({ role: "strategist", outcome: "not-needed" });
  expect(browser.errors).toEqual([]);
});

it("a question that cannot be answered at the desk is shown there in its own words, with the way to its pane", async (test) => {
  await using world = makeZellijWorld();
  const browser = await startBrowser(world.sandbox, test);
  const [script, asks] = [join(world.sandbox.root, "script.json"), join(world.sandbox.root, "ask")];
  const turn = [{ do: "ask", command: "rm the moat" }];
  writeFileSync(script, JSON.stringify({ roles: { storm: { acts: [{ when: { file: asks }, turn }] } } }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  const config = join(world.sandbox.home, ".config/ovld");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.toml"), "[desk]\nanswer = false\n");
  expect((await world.ovld("summon", "--agent", "practice", "--no-rituals", "--detached")).code).toBe(0);
  const desk = await startDesk(world);
  const page = await browser.open(desk.link());
  await page.locator('[data-role="storm"]', { hasText: "idle" }).waitFor(slowly);
  writeFileSync(asks, "");
  const card = page.locator(".need", { hasText: "storm is asking you" });
  await card.locator(".screen", { hasText: "rm the moat" }).waitFor(slowly);
  await card.getByText("Ctrl-t 3").waitFor();
  expect(browser.errors).toEqual([]);
});
