import { expect, it } from "vitest";
import type { Page } from "playwright-core";
import { openRequestBox } from "../../src/requests/request-box.ts";
import { startAsker } from "../support/askers.ts";
import { seriousFindings, startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { beginArmy, makePerson, poseAsRelay } from "../support/person.ts";
import { COMMAND, TWO_QUESTIONS } from "../support/requests.ts";
import { letter } from "../support/store.ts";

const MARKUP = `<img src=x onerror="document.title='owned'">`;

it("keys go from card to card and answer the one that has the focus, but not while the person types, or within 400 ms of another key", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const asker = await startAsker(person, "storm");
  const [first, second, third] = [asker.ask(COMMAND), asker.ask(COMMAND), asker.ask(TWO_QUESTIONS)];
  const desk = await startDesk(person);
  const page = await browser.open("about:blank");
  await page.clock.install();
  await page.goto(desk.link());
  const rest = (): Promise<void> => page.waitForTimeout(600);
  const current = () =>
    page.evaluate("document.activeElement.closest('[data-card]')?.getAttribute('data-request') ?? null");
  await page.locator(`[data-request="${third.request.id}"]`).waitFor();
  const keys = page.keyboard;

  // No card has the focus: a key that answers does not choose one by itself.
  await rest();
  await keys.press("a");
  expect(await current()).toBe(null);
  // Whoever types without noticing that no field has the focus answers nothing.
  await page.clock.pauseAt(Date.now() + 1_000);
  await keys.type("jaja dad");
  await page.clock.resume();
  await rest();
  expect(asker.box.open("storm")).toHaveLength(3);
  await page.getByLabel("Message").fill("");
  await keys.press("Escape");
  await page.getByLabel("Message").press("a");
  await rest();
  expect(await page.getByLabel("Message").inputValue()).toBe("a");
  expect(asker.box.open("storm")).toHaveLength(3);

  await page.locator("h2").first().focus();
  await keys.press("j");
  expect(await current()).toBe(first.request.id);
  await keys.press("j");
  await keys.press("j");
  expect(await current()).toBe(third.request.id);
  await keys.press("k");
  expect(await current()).toBe(second.request.id);
  await rest();
  await keys.press("a");
  expect((await asker.taken(second)).verdict).toEqual({ verdict: "allow", suggestions: [] });
  await page.locator(`[data-request="${second.request.id}"]`).waitFor({ state: "detached" });
  await keys.press("j");
  await rest();
  await keys.press("d");
  await keys.type("not now");
  await keys.press("Enter");
  expect((await asker.taken(first)).verdict).toEqual({ verdict: "deny", reason: "not now" });
  // Until the page has heard of it, the field for the reason has the focus.
  await page.locator(`[data-request="${first.request.id}"]`).waitFor({ state: "detached" });

  await keys.press("?");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await keys.press("Escape");
  await keys.press("/");
  await keys.type("by hand");
  expect(await page.getByLabel("Message").inputValue()).toBe("aby hand");
  expect(browser.errors).toEqual([]);
});

it("what the person writes is sent by Ctrl and Enter, joins the conversation, and stays in the box if it is refused", async (test) => {
  await using person = makePerson();
  const mail = person.army();
  const browser = await startBrowser(person.sandbox, test);
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  const [box, letters] = [page.getByLabel("Message"), page.locator(".letters li")];
  await page.getByText("Tell the overlord what you want, in the box below").waitFor();
  await box.fill("a tea house\nwith a dragon");
  await box.press("Enter");
  expect(mail.countUnread("overlord")).toBe(0);
  await box.press("Control+Enter");
  await letters.getByText("with a dragon").waitFor();
  expect(await box.inputValue()).toBe("");
  expect(mail.countUnread("overlord")).toBe(1);
  await letters.getByText("waiting").waitFor();
  // One message to all is one entry.
  await page.locator(".composer select").selectOption("all");
  await box.fill("all of you, rest");
  await box.press("Control+Enter");
  await expect.poll(() => letters.count()).toBe(2);
  expect(await letters.nth(1).locator(".role").count()).toBe(7);
  expect(mail.countUnread("overlord")).toBe(2);
  await page.route(/\/send\?/, (route) => route.abort());
  await box.fill("lost?");
  await box.press("Control+Enter");
  await page.getByText("That did not work:").waitFor();
  expect(await box.inputValue()).toBe("lost?");
});

it("a wide page has needs, conversation and composer beside plan and roles, and on a phone they come first and fit a finger", async (test) => {
  await using person = makePerson();
  const mail = person.army();
  const browser = await startBrowser(person.sandbox, test, { width: 1_400 });
  const asker = await startAsker(person, "storm");
  for (const asked of [COMMAND, COMMAND, TWO_QUESTIONS]) asker.ask(asked);
  mail.deliver({ ...letter, from: "human", to: "overlord" });
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  const place = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    if (box === null) throw new Error(`${selector} is not there`);
    return box;
  };
  await page.locator(".letters li").waitFor();
  const [needs, composer, roles, campaign] = ["#needs", ".composer", ".roles", ".campaign"];
  expect((await place(roles)).x).toBeGreaterThan((await place(needs)).x + 600);
  expect((await place(campaign)).width).toBeGreaterThan(1_200);
  for (const width of [1_400, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate("scrollTo(0, 300)");
    // In reach although the cards above it are higher than the screen.
    const { y, height } = await place(composer);
    expect(Math.round(y + height)).toBeLessThanOrEqual(844);
  }
  // In one column it stays there, low, and says to whom it writes as soon as the person begins.
  await page.evaluate("scrollTo(0, 100_000)");
  const low = await place(composer);
  expect(Math.round(low.y + low.height)).toBe(844);
  expect(low.height).toBeLessThan(80);
  const to = page.locator(".composer select");
  expect(await to.isVisible()).toBe(false);
  await page.getByLabel("Message").fill("a");
  expect(await to.isVisible()).toBe(true);
  await page.getByLabel("Message").fill("");
  await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
  expect((await place(".top")).height).toBeLessThan(100);
  expect(await page.locator("kbd").first().isVisible()).toBe(false);
  expect((await place(roles)).y).toBeGreaterThan((await place(".letters")).y);
  expect((await place(".letters")).y).toBeGreaterThan((await place(needs)).y);
  await page.getByRole("button", { name: "Deny", exact: true }).first().click();
  const small = await page.evaluate<string[]>(`
    [...document.querySelectorAll("button, select, summary, textarea, .option, input[type=search]")]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5)
      .map((each) => each.outerHTML)`);
  expect(small).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
});

it("only a page that the person can see keeps other notifications back", async (test) => {
  await using person = makePerson();
  await beginArmy(person);
  const browser = await startBrowser(person.sandbox, test);
  const box = openRequestBox(person.relayDir());
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await expect.poll(() => box.isDeskOpen()).toBe(true);
  const asker = await startAsker(person, "storm");
  await hide(page, true);
  await expect.poll(() => box.isDeskOpen()).toBe(false);
  asker.ask(COMMAND);
  // It follows all the same, and its tab says so.
  await expect.poll(() => page.title()).toBe("(1) overlord – ovld desk");
  expect(await page.locator("link[rel=icon]").getAttribute("href")).toContain("circle");
  expect(box.isDeskOpen()).toBe(false);
  // A stream that begins while nobody looks says so, too.
  await page.reload();
  await expect.poll(() => box.isDeskOpen()).toBe(true);
  const second = await browser.open(page.url());
  await hide(page, true);
  await second.getByRole("button", { name: "Allow once" }).waitFor();
  expect(box.isDeskOpen()).toBe(true);
  await second.close();
  await expect.poll(() => box.isDeskOpen()).toBe(false);
  await hide(page, false);
  await expect.poll(() => box.isDeskOpen()).toBe(true);
});

it("the page switches between armies, says when another one asks, and answers in the one that it shows", async (test) => {
  await using person = makePerson();
  await beginArmy(person);
  await beginArmy(person, "castle");
  const browser = await startBrowser(person.sandbox, test);
  const asker = await startAsker({ ...person, relayDir: () => person.relayDir("castle") }, "inferno");
  const stored = asker.ask(COMMAND);
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  const other = page.getByRole("navigation").getByRole("button", { name: "castle" });
  await expect.poll(() => other.textContent()).toContain("1");
  await page.getByText("Nothing needs you.").waitFor();
  await other.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "castle", exact: true }).waitFor();
  await page.getByRole("button", { name: "Allow once" }).click();
  expect((await asker.taken(stored)).verdict.verdict).toBe("allow");
  await page.getByRole("navigation").getByRole("button", { name: "overlord" }).click();
  await page.getByRole("heading", { name: "overlord", exact: true }).waitFor();
  expect(browser.errors).toEqual([]);
});

it("a page that has lost its desk is dim and presses nothing, and without an army it says how to summon one", async (test) => {
  await using person = makePerson();
  const browser = await startBrowser(person.sandbox, test);
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.getByText("There is no army called overlord right now.").waitFor();
  await page.getByText("ovld summon", { exact: true }).waitFor();
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("ovld summon");
  person.army();
  const asker = await startAsker(person, "storm");
  asker.ask(COMMAND);
  const allow = page.getByRole("button", { name: "Allow once" });
  await allow.waitFor();
  expect(await allow.isEnabled()).toBe(true);
  desk.command.kill("SIGKILL");
  await page.getByText("The desk does not answer.").waitFor();
  expect(await allow.isEnabled()).toBe(false);
  expect(await page.locator("main.cut").count()).toBe(1);
});

it("mail that the brake holds waits for the person's word: it goes on, or stays held", async (test) => {
  await using person = makePerson();
  const mail = await beginArmy(person);
  const browser = await startBrowser(person.sandbox, test);
  const held = { state: "held", why: "brake", at: new Date().toISOString() } as const;
  for (const role of ["glacier", "shadow"] as const) {
    poseAsRelay(mail, role, { bell: held });
    mail.deliver({ ...letter, from: "inferno", to: role, talk: 9 });
  }
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  const card = (role: string) =>
    page.locator(".need", { hasText: `${role} is not woken for mail from inferno` });
  await card("glacier").getByText("they have exchanged 8 messages").waitFor();
  await card("glacier").getByRole("button", { name: "Let them go on" }).click();
  await page.getByText("glacier goes on: what was held wakes it.").waitFor();
  expect(mail.brakeDecision("glacier")?.says).toBe("go");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.waitForTimeout(600);
  await page.keyboard.press("d");
  await page.getByText("What is held stays held, until you run ovld answer shadow allow.").waitFor();
  await card("shadow").waitFor({ state: "detached" });
  expect(mail.brakeDecision("shadow")?.says).toBe("stop");
  expect(browser.errors).toEqual([]);
});

it("a question to the person is a card that is answered in the composer, and their mail is read when they can see it", async (test) => {
  await using person = makePerson();
  const mail = await beginArmy(person);
  const browser = await startBrowser(person.sandbox, test, { width: 1_400 });
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.getByText("Tell the overlord what you want, in the box below").waitFor();
  await hide(page, true);
  poseAsRelay(mail, "overlord");
  const subject = "CSV or XLSX?";
  const { id } = mail.deliver({ ...letter, to: "human", subject, body: `- **CSV** or\n- XLSX ${MARKUP}` });
  mail.setStatus("overlord", "blocked", "export", { waitsFor: "human", asked: id });
  await expect.poll(() => page.title()).toBe("(1) overlord – ovld desk");
  const card = page.locator("[data-card]", { hasText: `overlord asks you: ${subject}` });
  await card.getByText(`XLSX ${MARKUP}`).waitFor();
  expect(mail.countUnread("human")).toBe(1);
  await hide(page, false);
  await expect.poll(() => mail.countUnread("human")).toBe(0);
  // It is read, and still waits for its answer.
  await page.getByLabel("Message").fill("");
  await page.locator(".composer select").selectOption("storm");
  await page.locator("h2").first().focus();
  await page.keyboard.press("j");
  await page.waitForTimeout(600);
  await page.keyboard.press("r");
  expect(await page.locator(".composer select").inputValue()).toBe("overlord");
  await page.locator(".composer").getByText(`Answers: ${subject}`).waitFor();
  await page.keyboard.type("CSV");
  await page.keyboard.press("Control+Enter");
  await card.waitFor({ state: "detached" });
  // It is known as the answer to this question, and what is written next is not.
  await page.locator(".letters").getByText(`Re: ${subject}`).waitFor();
  await page.locator(".composer .about").waitFor({ state: "detached" });
  expect(await page.locator(".letters li").count()).toBe(2);
  expect(mail.countUnread("overlord")).toBe(1);
  expect(await page.locator("img").count()).toBe(0);
  expect(browser.errors).toEqual([]);
});

it("an agent that stopped without a word is named on its card, and asks for the person's answer if the order was theirs", async (test) => {
  await using person = makePerson();
  const mail = await beginArmy(person);
  const browser = await startBrowser(person.sandbox, test);
  const stalled = {
    kind: "mail",
    subject: "take the hill",
    at: "2026-11-15T03:48:12.303Z",
  } as const;
  for (const [role, from] of [
    ["storm", "strategist"],
    ["overlord", "human"],
  ] as const) {
    poseAsRelay(mail, role, { state: "idle" });
    mail.recordOrders(role, [{ ...stalled, id: `0mzp1x3k2000-${role}`, from, told: ["stalled"] }]);
  }
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page
    .locator("[data-role=storm]")
    .getByText("storm stopped without a word to strategist about: take the hill. strategist has been told.")
    .waitFor();
  const card = page.locator("[data-card]", {
    hasText: "overlord stopped and did not answer you about: take the hill",
  });
  await card.getByRole("button", { name: "Reply" }).click();
  expect(await page.locator(".composer select").inputValue()).toBe("overlord");
  mail.recordOrders("overlord", []);
  await card.waitFor({ state: "detached" });
  expect(browser.errors).toEqual([]);
});

/** Chromium without a window shows every tab. */
async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { get: () => ${isHidden}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));`);
}
