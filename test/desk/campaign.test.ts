import { expect, it } from "vitest";
import { startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { plantJournal } from "../support/plant-journal.ts";
import { makePerson } from "../support/person.ts";
import { letter } from "../support/store.ts";

it("of a long campaign only the shown part is read; moving, zooming and filtering show other parts", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  plantJournal(person.relayDir(), { entries: 20_000, end: Date.now() - 5_000 });
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  const rows = page.locator("[data-message]");
  await page.getByRole("button", { name: /order 3999/ }).waitFor();
  expect(await page.locator(".overview .bar").count()).toBe(240);
  const answers: number[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/journal?")) answers.push((await response.json()).entries.length);
  });
  await page.getByRole("button", { name: "The whole campaign" }).click();
  await page.getByText("There is more in this time than can be shown").waitFor();
  for (let times = 0; times < 6; times += 1) await page.getByRole("button", { name: "Zoom in" }).click();
  const strip = page.locator(".overview");
  await strip.click({ position: { x: ((await strip.boundingBox())?.width ?? 0) / 4, y: 10 } });
  await expect.poll(async () => orderIn(await rows.first().textContent())).toBeLessThan(1_200);
  await page.getByRole("img", { name: "Campaign" }).focus();
  const before = orderIn(await rows.first().textContent());
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => orderIn(await rows.first().textContent())).toBeGreaterThan(before);
  await page.getByRole("button", { name: "The whole campaign" }).click();
  await page.getByLabel("Text").fill("order 123");
  await page.getByRole("button", { name: /order 1234 / }).waitFor();
  expect(await page.getByRole("button", { name: /order 999 / }).count()).toBe(0);
  expect(Math.max(...answers)).toBeLessThanOrEqual(4_000);
  expect(browser.errors).toEqual([]);
});

it("a click on an arrow opens its message, and a role hides the arrows of others", async (test) => {
  await using person = makePerson();
  const mail = person.army();
  const browser = await startBrowser(person.sandbox, test);
  mail.deliver({ ...letter, from: "overlord", to: "strategist", subject: "for the arrow" });
  mail.deliver({ ...letter, from: "inferno", to: "storm", subject: "another one" });
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.getByRole("button", { name: "for the arrow" }).waitFor();
  const picture = page.getByRole("img", { name: "Campaign" });
  await picture.scrollIntoViewIfNeeded();
  const box = await picture.boundingBox();
  // A campaign that has just begun fills the picture: its first arrow comes to stand at the beginning.
  const place = async (): Promise<number> =>
    Number(/^M([\d.]+)/.exec((await page.locator(".picture .arrow").first().getAttribute("d")) ?? "")?.[1]);
  await expect.poll(place).toBeLessThan(200);
  // Between the lanes of the overlord and the strategist.
  for (let x = 100; x < 300 && (await page.locator(".story").count()) === 0; x += 3)
    await page.mouse.click((box?.x ?? 0) + x, (box?.y ?? 0) + 40 * 2);
  await page.locator(".story").getByText("for the arrow").first().waitFor();
  await page.locator(".campaign select").selectOption("storm");
  await page.getByRole("button", { name: "for the arrow" }).waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "another one" }).count()).toBe(1);
});

function orderIn(text: string | null): number {
  return Number(/order (\d+)/.exec(text ?? "")?.[1] ?? NaN);
}
