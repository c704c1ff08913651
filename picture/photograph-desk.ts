/** Photographs the desk in both themes, over a real practice campaign in which two agents ask something. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser, provideChromium } from "../test/support/browser.ts";
import { startDesk } from "../test/support/desk.ts";
import { makeZellijWorld } from "../test/support/zellij.ts";

const SIZE = { width: 1_200, height: 1_650 };

/** Writes `desk-light.png` and `desk-dark.png` into this folder. */
export async function photographDesk(wish: string, folder: string): Promise<void> {
  const chromium = provideChromium();
  if ("lack" in chromium) throw new Error(chromium.lack);
  await using world = makeZellijWorld();
  const go = join(world.sandbox.root, "go");
  const asking = (command: string): object => ({
    acts: [{ when: { file: go }, turn: [{ do: "ask", command }] }],
  });
  const script = join(world.sandbox.root, "script.json");
  const roles = { inferno: asking("npm test -- --coverage"), storm: asking("git push origin tea-house") };
  writeFileSync(script, JSON.stringify({ workMs: 2_500, roles }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  await world.ovld("summon", "--agent", "practice", "--detached");
  await world.ovld("send", "overlord", wish);
  const browser = await launchBrowser(world.sandbox, chromium.program, SIZE);
  const desk = await startDesk(world);
  const page = await browser.open(desk.link());
  await page.getByText("All four have reported").first().waitFor({ timeout: 120_000 });
  writeFileSync(go, "");
  await page.getByText("git push origin tea-house").first().waitFor();
  await page.getByText("npm test -- --coverage").first().waitFor();
  for (const _ of ["half", "a quarter", "an eighth"])
    await page.getByRole("button", { name: "Zoom in" }).click();
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.evaluate("scrollTo(0, 0)");
    // The picture of the campaign is drawn once a second.
    await page.waitForTimeout(1_500);
    await page.screenshot({ path: join(folder, `desk-${theme}.png`) });
    console.error(`photographed: docs/desk-${theme}.png`);
  }
}
