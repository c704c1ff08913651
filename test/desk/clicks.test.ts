import { expect, it } from "vitest";
import type { Locator, Page } from "playwright-core";
import { startAsker } from "../support/askers.ts";
import { startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { makePerson } from "../support/person.ts";
import { COMMAND, PLAN, TWO_QUESTIONS } from "../support/requests.ts";

it("a click that was meant for a card which has just gone away does not answer the one that took its place", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const [storm, shadow] = [await startAsker(person, "storm"), await startAsker(person, "shadow")];
  const [first, second] = [storm.ask(COMMAND), shadow.ask(COMMAND)];
  const desk = await startDesk(person);
  const page = await browser.open("about:blank");
  await page.clock.install();
  await page.goto(desk.link());
  const allow = page.getByRole("button", { name: "Allow once" });
  await expect.poll(() => allow.count()).toBe(2);
  await page.locator(".moving").first().waitFor({ state: "detached" });
  const box = await allow.first().boundingBox();
  if (box === null) throw new Error("there is no button");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  // On a busy machine the click could come later than a person's.
  await page.clock.pauseAt(Date.now() + 1_000);
  storm.end(first, "pane");
  await page.locator(`[data-request="${first.request.id}"]`).waitFor({ state: "detached" });
  await page.clock.runFor(300);
  await page.mouse.click(x, y);
  await page.clock.resume();
  await page.locator(".moving").waitFor({ state: "detached" });
  expect(await allow.boundingBox()).toEqual(box);
  expect(await allow.isEnabled()).toBe(true);
  expect(shadow.box.open("shadow")).toEqual([second]);
  await page.mouse.click(x, y);
  expect((await shadow.taken(second)).verdict.verdict).toBe("allow");
});

it("cards of every kind are answered one after the other by keyboard alone, without starting at the top of the page", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const asker = await startAsker(person, "storm");
  const [denied, questions, plan, ...chosen] = [COMMAND, TWO_QUESTIONS, PLAN, COMMAND, COMMAND].map(
    asker.ask,
  );
  if (!denied || !questions || !plan) throw new Error("nothing was asked");
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.getByRole("button", { name: "Approve the plan" }).waitFor();
  await page.locator("h2").first().focus();

  await tabTo(page, "Deny");
  await page.keyboard.press("Enter");
  await page.keyboard.type("not by hand");
  await page.keyboard.press("Enter");
  expect((await asker.taken(denied)).verdict).toEqual({ verdict: "deny", reason: "not by hand" });
  await focusIsKept(page);

  await tabTo(page, "left");
  await page.keyboard.press("ArrowDown");
  await tabTo(page, "bow");
  await page.keyboard.press("Space");
  await tabTo(page, "In your own words");
  await page.keyboard.type("縄");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect((await asker.taken(questions)).verdict).toEqual({
    verdict: "answer",
    answers: [{ chosen: [1] }, { chosen: [0], text: "縄" }],
  });
  await focusIsKept(page);

  await tabTo(page, "Approve");
  await page.keyboard.press("Enter");
  expect((await asker.taken(plan)).verdict.verdict).toBe("allow");
  await focusIsKept(page);

  for (const _ of chosen) {
    await tabTo(page, "Select");
    await page.keyboard.press("Space");
  }
  await tabTo(page, "Allow the chosen ones once");
  await page.keyboard.press("Enter");
  for (const each of chosen) expect((await asker.taken(each)).verdict.verdict).toBe("allow");
});

it("of eight tabs the four that were used last follow the army, and each one follows again and answers when it is used", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const asker = await startAsker(person, "storm");
  const desk = await startDesk(person);
  const pages = [await browser.open(desk.link())];
  await pages[0]?.getByText("Nothing needs you.").waitFor();
  const address = pages[0]?.url() ?? "";
  while (pages.length < 8) {
    pages.push(await browser.open(address));
    await pages.at(-1)?.getByText("Nothing needs you.").waitFor();
  }
  const stored = asker.ask(COMMAND);
  for (const page of pages.slice(4)) await allowIn(page).waitFor();
  for (const page of pages.slice(0, 4))
    await page.getByText("Paused, because the desk is open in many tabs. Click to resume.").waitFor();
  const [oldest] = pages;
  if (!oldest) throw new Error("no page is open");
  await oldest.locator("h1").click();
  await allowIn(oldest).click();
  expect((await asker.taken(stored)).verdict.verdict).toBe("allow");
  expect(browser.errors).toEqual([]);
});

function allowIn(page: Page): Locator {
  return page.getByRole("button", { name: "Allow once" });
}

/** Presses Tab until something with these words has the focus; the next cards are a few keys away, not a page. */
async function tabTo(page: Page, words: string): Promise<void> {
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate<string>(
      "(document.activeElement.labels?.[0] ?? document.activeElement).textContent",
    );
    if (name.includes(words)) return;
  }
  throw new Error(`Tab does not reach ${words}`);
}

async function focusIsKept(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate<boolean>(
      "document.activeElement.closest('.needs') !== null && !document.querySelector('[aria-busy=true]')",
    );
  await expect.poll(isKept).toBe(true);
}
