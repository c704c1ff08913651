import { expect, it } from "vitest";
import type { StoredRequest } from "../../src/requests/request-box.ts";
import { startAsker } from "../support/askers.ts";
import { startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { makePerson } from "../support/person.ts";
import { COMMAND, PLAN, TWO_QUESTIONS } from "../support/requests.ts";

it("each kind of request is shown whole, answered at the desk, and gone when its relay has taken the answer", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const asker = await startAsker(person, "storm");
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.getByText("Nothing needs you.").waitFor();

  const command = asker.ask({ ...COMMAND, action: { what: "command", command: "rm -rf ./build && make" } });
  const card = page.locator(`[data-request="${command.request.id}"]`);
  await card.getByText("rm -rf ./build && make").waitFor();
  await card.getByRole("button", { name: "Allow once" }).click();
  expect((await asker.taken(command)).verdict).toEqual({ verdict: "allow", suggestions: [] });
  await card.waitFor({ state: "detached" });
  await page.getByText("storm has your answer.").waitFor();

  const always = asker.ask(COMMAND);
  await page
    .getByRole("button", { name: "Allow, and don't ask again for Bash(touch it) in this conversation" })
    .click();
  expect((await asker.taken(always)).verdict).toEqual({ verdict: "allow", suggestions: [0] });

  const edit = asker.ask({
    ...COMMAND,
    tool: "Edit",
    action: {
      what: "edit",
      path: "/castle/gate.txt",
      target: "/elsewhere/ga\u200Bte.txt",
      changes: [{ before: "one\ntwo", after: "one\nthree", everywhere: false }],
    },
  });
  await page.getByText("- two").waitFor();
  expect(await page.locator(".request .warning").textContent()).toBe(
    "The path leads through a link to: /elsewhere/ga⟦U+200B⟧te.txt",
  );
  expect(await page.locator(".diff .added").allTextContents()).toEqual(["+ three\n"]);
  expect(await page.getByLabel("Reason for the agent (optional)").count()).toBe(0);
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await page.getByLabel("Reason for the agent (optional)").fill("not the gate");
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  expect((await asker.taken(edit)).verdict).toEqual({ verdict: "deny", reason: "not the gate" });

  const questions = asker.ask(TWO_QUESTIONS);
  await page.getByLabel("right").check();
  await page.getByLabel("bow").check();
  await page.getByLabel("rope").check();
  await page.getByRole("button", { name: "Answer" }).click();
  expect((await asker.taken(questions)).verdict).toEqual({
    verdict: "answer",
    answers: [{ chosen: [1] }, { chosen: [0, 1] }],
  });

  // Otherwise the first words could go to the card that is about to leave.
  await page.locator(`[data-request="${questions.request.id}"]`).waitFor({ state: "detached" });
  const free = asker.ask(TWO_QUESTIONS);
  const words = page.getByLabel("In your own words");
  await words.first().fill("the one in the middle");
  await words.nth(1).fill("a ladder");
  await page.getByRole("button", { name: "Answer" }).click();
  expect((await asker.taken(free)).verdict).toEqual({
    verdict: "answer",
    answers: [
      { chosen: [], text: "the one in the middle" },
      { chosen: [], text: "a ladder" },
    ],
  });

  const plan = asker.ask(PLAN);
  await page.getByRole("button", { name: "Approve the plan" }).click();
  expect((await asker.taken(plan)).verdict).toEqual({ verdict: "allow", suggestions: [] });
  expect(browser.errors).toEqual([]);
});

it("a card hides nothing of a question, a plan or a call: headers, previews, numbers, words next to code, lines", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const asker = await startAsker(person, "storm");
  const options = [{ label: "left", description: "steep", preview: "/\\\n  \\" }];
  const question = asker.ask({
    kind: "question",
    tool: "AskUserQuestion",
    rest: {},
    questions: [{ text: "Which hill?", header: "Hill", several: false, options }],
  });
  const plan = asker.ask({
    kind: "plan",
    tool: "ExitPlanMode",
    rest: {},
    suggestions: [],
    plan: "1. climb\n2. rest\n- sing\n~~~ sh; rm -rf ~\nls\n~~~ and more",
  });
  const call = asker.ask({
    ...COMMAND,
    tool: "NotebookEdit",
    action: { what: "call" },
    rest: { notebook_path: "/p/n.ipynb", new_source: "one = 1\ntwo = 2" },
  });
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  const card = ({ request }: StoredRequest) => page.locator(`[data-request="${request.id}"]`);
  expect(await card(question).locator("legend").textContent()).toBe("Hill: Which hill?");
  expect(await card(question).locator("pre").textContent()).toBe("/\\\n  \\");
  expect(await card(plan).locator(".prose > *").allTextContents()).toEqual([
    "1. climb",
    "2. rest",
    "• sing",
    "sh; rm -rf ~",
    "ls",
    "and more",
  ]);
  expect(await card(call).locator("h4").allTextContents()).toEqual(["Also:", "Also: new_source"]);
  expect(await card(call).locator("pre").last().textContent()).toBe("one = 1\ntwo = 2");
});
