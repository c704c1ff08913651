import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { Page } from "playwright-core";
import { openBudgetBook } from "../../src/mail/records/budget.ts";
import type { Asked } from "../../src/mail/records/request.ts";
import { WORK_FOLDER } from "../../src/mail/store/paths.ts";
import { landReady } from "../../src/work/land.ts";
import { handIn, takeTask } from "../../src/work/tasks.ts";
import { startAsker } from "../support/askers.ts";
import { hasJapaneseFont, seriousFindings, startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { beginArmy, makePerson, poseAsRelay, type Person } from "../support/person.ts";
import { COMMAND, PLAN, TWO_QUESTIONS } from "../support/requests.ts";
import { letter } from "../support/store.ts";
import { beginWork, commit, makeWorkplace, task } from "../support/work.ts";

const WORD = "long".repeat(200);
/** Words that are longer than a screen is wide, in every place where an agent can put one. */
const LONG: Asked[] = [
  {
    ...COMMAND,
    tool: WORD,
    action: { what: "edit", path: WORD, changes: [{ before: WORD, after: "", everywhere: true }] },
    rest: { [WORD]: WORD },
    suggestions: [{ what: "rules", behavior: "allow", rules: [WORD], where: "session" }],
  },
  {
    kind: "question",
    tool: "AskUserQuestion",
    rest: {},
    questions: [{ text: WORD, header: WORD, several: true, options: [{ label: WORD, description: WORD }] }],
  },
  {
    kind: "plan",
    tool: "ExitPlanMode",
    rest: {},
    suggestions: [],
    plan: `# ${WORD}\n- ${WORD}\n\`\`\`\n${WORD}\n\`\`\``,
  },
];

/** An army with everything that can need the person, but for requests; and another one, so that there is a switch. */
async function beginEverything(person: Person): Promise<void> {
  const mail = await beginArmy(person);
  await beginArmy(person, "castle");
  const known = { session: "overlord", folder: person.project, agent: "practice" } as const;
  mail.recordArmy({ ...known, budget: { strategist: 100 }, summoned: new Date().toISOString() });
  const used = { input: 200, cached: 0, output: 0 };
  openBudgetBook(person.relayDir()).recordSpending("strategist", { conversations: { one: { model: used } } });
  mail.deliver({ ...letter, priority: "urgent" });
  const question = mail.deliver({
    ...letter,
    to: "human",
    subject: "CSV or XLSX?",
    body: "- **CSV**\n- XLSX",
  });
  mail.deliver({ ...letter, from: "human", to: "storm", body: "go on" });
  mail.setStatus("overlord", "blocked", "export", { waitsFor: "human", asked: question.id });
  mail.setStatus("inferno", "blocked", "the gate is closed");
  mail.deliver({ ...letter, from: "inferno", to: "glacier", talk: 9 });
  const held = { state: "held", why: "brake", at: new Date().toISOString() } as const;
  for (const role of ["overlord", "strategist"] as const) poseAsRelay(mail, role);
  poseAsRelay(mail, "glacier", { bell: held });
  const root = realpathSync(person.sandbox.root);
  const where = { root, folder: join(person.relayDir(), WORK_FOLDER) };
  const work = await beginWork(makeWorkplace({ "a.txt": "one\n" }, {}, where), ["inferno", "glacier"]);
  const both = ["inferno", "glacier"] as const;
  for (const role of both) await takeTask(work, role, work.board.add(task(`the wall, by ${role}`)));
  for (const role of both) {
    commit(work.treeOf(role), { "a.txt": `${role}\n` }, role);
    await handIn(work, role, new Date());
    await landReady(work, { stop: new AbortController().signal, tell: () => {} });
  }
  await takeTask(work, "inferno", work.board.add(task("the moat")));
  work.board.add(task("the gate", { after: ["T2"], to: "storm" }));
}

it.for(["light", "dark"] as const)(
  "axe-core has no serious finding in the %s theme, in both languages, at three widths, with everything on the page that can need the person",
  async (theme, test) => {
    await using person = makePerson();
    await beginEverything(person);
    const browser = await startBrowser(person.sandbox, test, { theme });
    const asker = await startAsker(person, "storm");
    for (const asked of [
      COMMAND,
      TWO_QUESTIONS,
      { ...PLAN, plan: "# Up\n\n- `climb`\n```\nls\n```" },
      ...LONG,
    ])
      asker.ask(asked);
    const desk = await startDesk(person);
    const page = await browser.open(desk.link());
    await page.getByRole("button", { name: "Approve the plan" }).nth(1).waitFor();
    await page.getByLabel("Choose this request of storm").first().check();
    for (const shown of [
      "overlord asks you: CSV or XLSX?",
      "glacier is not woken for mail from inferno",
      "strategist's budget is used up",
    ])
      await page.locator("[data-card]", { hasText: shown }).waitFor();
    await page.locator(".task.landed", { hasText: "landed without a check" }).waitFor();
    await page.locator(".task.returned", { hasText: "conflict in a.txt" }).waitFor();
    await page.getByRole("navigation").getByRole("button", { name: "castle" }).waitFor();
    await page.locator(".needs").getByRole("button", { name: "Reply" }).click();
    await page.locator("[data-message]").first().click();
    await page.getByRole("heading", { name: "What happened to it" }).waitFor();
    for (const other of ["日本語", "English"]) {
      for (const width of [390, 900, 1_400]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await seriousFindings(page)).toEqual([]);
      }
      for (const width of [360, 390, 900, 1_400, 1_920]) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect([width, overflow]).toEqual([width, 0]);
      }
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: other, exact: true }).click();
    }
    expect(browser.errors).toEqual([]);
  },
);

it("everything on the page can be reached and answered by keyboard alone", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const asker = await startAsker(person, "storm");
  const stored = asker.ask(COMMAND);
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await tabTo(page, "Allow once");
  await page.keyboard.press("Enter");
  expect((await asker.taken(stored)).verdict.verdict).toBe("allow");
  await page.getByText("storm has your answer.").waitFor();
  await tabTo(page, "Message");
  await page.keyboard.type("by hand");
  await tabTo(page, "Send");
  await page.keyboard.press("Enter");
  await page.getByText("No agent is running for overlord; the message waits in the inbox.").waitFor();
  await tabTo(page, "overlord  by hand");
  await page.keyboard.press("Space");
  await page.getByRole("heading", { name: "What happened to it" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "What happened to it" }).waitFor({ state: "detached" });
});

it("the page speaks the person's language, and the other one at a press of a button", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const asker = await startAsker(person, "storm");
  asker.ask(COMMAND);
  const desk = await startDesk(person, "--lang", "ja");
  const page = await browser.open(desk.link());
  await page.getByRole("button", { name: "今回だけ許可" }).waitFor();
  expect(await page.getAttribute("html", "lang")).toBe("ja");
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  expect(await page.getAttribute("html", "lang")).toBe("en");
});

it("Japanese is shown by a font that has it", async (test) => {
  if (!hasJapaneseFont()) return test.skip("no font on this machine has Japanese");
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const desk = await startDesk(person, "--lang", "ja");
  const page = await browser.open(desk.link());
  await page.getByText("対応が必要なことはありません。").waitFor();
  // What a font does not have is the same box for every character.
  const pictures = await page.evaluate<string[]>(`
    [..."火氷闇風"].map((character) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
      const context = canvas.getContext("2d");
      context.font = "24px " + getComputedStyle(document.body).fontFamily;
      context.fillText(character, 4, 30);
      return canvas.toDataURL();
    })`);
  expect(new Set(pictures).size).toBe(4);
});

it("an exported campaign is one file that shows the same picture without a server, and without bodies if wanted", async (test) => {
  await using person = makePerson();
  const mail = person.army();
  const hostile = "</script><script>document.title='owned'</script>";
  mail.deliver({ ...letter, subject: "first order", body: `secret ${hostile}` });
  mail.deliver({ ...letter, from: "strategist", to: "inferno", subject: "second order" });
  const browser = await startBrowser(person.sandbox, test);
  for (const bodies of [true, false]) {
    const flags = bodies ? [] : ["--no-bodies"];
    const run = await person.ovld(["desk", "--export", "campaign.html", "--json", ...flags]);
    const file = join(person.project, "campaign.html");
    expect(JSON.parse(run.stdout)).toEqual({ session: "overlord", file, messages: 2, isCut: false });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").includes("secret")).toBe(bodies);
    const page = await browser.open(pathToFileURL(file).href);
    await page.getByRole("button", { name: /second order/ }).waitFor();
    await page.getByRole("button", { name: /first order/ }).click();
    await page.getByText(bodies ? hostile : "The text of this message is not part of this file.").waitFor();
    expect(await page.title()).toBe("overlord – ovld desk");
    expect(await seriousFindings(page)).toEqual([]);
  }
  expect(browser.errors).toEqual([]);
  expect(await person.ovld(["desk", "--export", "/nowhere/campaign.html"])).toMatchObject({ code: 1 });
  expect(await person.ovld(["desk", "--export", "x.html", "--session", "nobody"])).toMatchObject({ code: 3 });
});

/** Presses Tab until something whose name or text contains these words has the focus. */
async function tabTo(page: Page, words: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate<string>(
      "document.activeElement.matches('body') ? '' : (document.activeElement.labels?.[0] ?? document.activeElement).textContent",
    );
    if (name.includes(words)) return;
  }
  throw new Error(`Tab does not reach ${words}`);
}
