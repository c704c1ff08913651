import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { expect, it } from "vitest";
import type { Page } from "playwright-core";
import type { Asked } from "../../src/mail/records/request.ts";
import { startAsker } from "../support/askers.ts";
import { startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { makePerson } from "../support/person.ts";
import { COMMAND, PLAN, TWO_QUESTIONS } from "../support/requests.ts";
import { letter } from "../support/store.ts";

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

it.for(["light", "dark"] as const)(
  "axe-core has no serious finding in the %s theme, from a phone's width to a wide screen",
  async (theme, test) => {
    await using person = makePerson();
    const mail = person.army();
    mail.deliver({ ...letter, priority: "urgent" });
    mail.setStatus("inferno", "blocked", "the gate is closed");
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
    await page.locator("[data-message]").click();
    await page.getByRole("heading", { name: "What happened to it" }).waitFor();
    for (const width of [360, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await seriousFindings(page)).toEqual([]);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([width, overflow]).toEqual([width, 0]);
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
  await tabTo(page, "by hand");
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

async function seriousFindings(page: Page): Promise<string[]> {
  // The page's own policy keeps foreign scripts out, so the checker is evaluated instead of added.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<any>("axe.run(document, { resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }: any) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }: any) => `${id}: ${nodes.map((node: any) => node.html).join(" | ")}`);
}

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
