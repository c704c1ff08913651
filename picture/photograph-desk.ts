/** Photographs the desk over a real practice campaign with trees, at three widths in both themes. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { makeGround } from "../src/cli/commands/practice/ground.ts";
import { parseSettings } from "../src/config/settings.ts";
import { PLAY_TEXTS } from "../src/i18n/en/practice.ts";
import { hasJapaneseFont, launchBrowser, provideChromium } from "../test/support/browser.ts";
import { startDesk } from "../test/support/desk.ts";
import { makeZellijWorld } from "../test/support/zellij.ts";
import { shrinkPicture } from "./shrink-picture.ts";

const ARMY = "tower";
const WISHES = ["A small castle with a moat", "A second tower, for guests"] as const;
/** By the end of the files' names. */
const SIZES = {
  "": { width: 1_400, height: 1_300 },
  "-900": { width: 900, height: 1_200 },
  "-390": { width: 390, height: 844 },
};

/** Writes `desk-light.png`, `desk-dark.png`, and the narrower ones, into this folder. */
export async function photographDesk(folder: string): Promise<void> {
  await using world = makeZellijWorld();
  const page = await openCampaign(world);
  for (const [name, size] of Object.entries(SIZES))
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(size);
      await page.evaluate("scrollTo(0, 0)");
      // The picture of the campaign is drawn once a second.
      await page.waitForTimeout(1_500);
      const file = `desk${name}-${theme}.png`;
      writeFileSync(join(folder, file), await shrinkPicture(page, await page.screenshot()));
      console.error(`photographed: docs/${file}`);
    }
}

/** A role's part of the script: what it does in this piece of work. */
function at(prompt: string | undefined, step: object): object {
  return { acts: [{ when: { prompt }, turn: [step] }] };
}

/**
 * The desk in the middle of a second wish: the first is fulfilled and reported, the overlord waits for an answer, one of
 * the new tasks has landed, two are in work, and at the fourth an agent asks for permission.
 */
async function openCampaign(world: ReturnType<typeof makeZellijWorld>): Promise<Page> {
  const chromium = provideChromium();
  if ("lack" in chromium) throw new Error(chromium.lack);
  if (!hasJapaneseFont()) throw new Error("no font on this machine shows Japanese");
  const { project, remove } = await makeGround(world.env, parseSettings({}).trees);
  world.sandbox.defer(remove);
  const [script, free] = [join(world.sandbox.root, "script.json"), join(world.sandbox.root, "free")];
  const { glacier, shadow, storm } = PLAY_TEXTS.crafts;
  const roles = {
    glacier: at(glacier.work[1], { do: "busy", for: { file: free } }),
    shadow: at(shadow.work[2], { do: "busy", for: { file: free } }),
    storm: at(storm.work[1], { do: "ask", command: "git push origin castle" }),
  };
  writeFileSync(script, JSON.stringify({ workMs: 2_500, roles }));
  writeFileSync(free, "");
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  const config = join(world.sandbox.home, ".config", "ovld", "config.toml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, '[trees]\ncheck = "sh check.sh"\n');
  const summoning = ["summon", "--trees", "--agent", "practice", "--detached", "--army", ARMY];
  const { code, stderr } = await world.ovldIn(project, ...summoning);
  if (code !== 0) throw new Error(stderr);
  const browser = await launchBrowser(world.sandbox, chromium.program, SIZES[""]);
  const desk = await startDesk(world, "--army", ARMY);
  const page = await browser.open(desk.link());
  const write = async (words: string): Promise<void> => {
    await page.getByLabel("Message").fill(words);
    await page.getByRole("button", { name: "Send" }).click();
  };
  const [permission, question] = [
    page.getByRole("button", { name: "Allow once" }),
    page.locator("[data-card]", { hasText: PLAY_TEXTS.question.subject }),
  ];
  await write(WISHES[0]);
  await question.getByRole("button", { name: "Reply" }).click();
  await write("Yes, a red one.");
  await permission.click();
  await page.locator(".letters").getByText("Your wish is fulfilled").waitFor();
  await page.locator(".task.landed").nth(3).waitFor();
  rmSync(free);
  await write(WISHES[1]);
  await question.waitFor();
  await permission.waitFor();
  await page.locator('.task.landed[data-task="T5"]').waitFor();
  // Without the notices of what was done before.
  await page.reload();
  await permission.waitFor();
  await page.getByLabel("Message").waitFor();
  return page;
}
