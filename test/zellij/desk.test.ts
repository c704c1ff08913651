import { expect, it } from "vitest";
import { startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { makeZellijWorld } from "../support/zellij.ts";

it("a practice campaign is begun at the desk, seen in its picture, and each pane can be looked at", async (test) => {
  await using world = makeZellijWorld();
  const browser = await startBrowser(world.sandbox, test);
  const desk = await startDesk(world);
  const page = await browser.open(desk.link());
  await page.getByText("There is no army called overlord right now.").waitFor();
  expect((await world.ovld("summon", "--agent", "practice", "--detached")).code).toBe(0);
  await page.getByRole("heading", { name: "The army overlord is running." }).waitFor();
  await page.locator('[data-role="overlord"]', { hasText: "idle" }).waitFor();
  await page.getByLabel("Message").fill("A tea house where dragons feel at home");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText(/overlord has (been rung|begun a turn|taken it)/).waitFor();
  const rows = page.locator("[data-message]");
  await expect.poll(() => rows.count(), { timeout: 60_000 }).toBeGreaterThan(8);
  await page.locator('[data-role="overlord"]', { hasText: /\d turns/ }).waitFor();
  await page.getByRole("button", { name: "Look at the pane of overlord" }).click();
  await page.locator(".screen", { hasText: "A tea house where dragons feel at home" }).waitFor();
  expect((await world.ovld("unsummon", "--force")).code).toBe(0);
  await page.getByText("There is no army called overlord right now.").waitFor();
  expect(browser.errors).toEqual([]);
});
