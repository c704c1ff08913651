import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Locator, Page } from "playwright-core";
import type { Role } from "../../src/army/roles.ts";
import { WORK_FOLDER } from "../../src/mail/store/paths.ts";
import { landReady } from "../../src/work/land.ts";
import { handIn, takeTask } from "../../src/work/tasks.ts";
import type { Work, WorkRecord } from "../../src/work/work.ts";
import { seriousFindings, startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { makePerson, type Person } from "../support/person.ts";
import { beginWork, commit, gitAs, makeWorkplace, task, write } from "../support/work.ts";

const never = new AbortController().signal;

async function beginPlan(person: Person, record: Partial<WorkRecord> = {}): Promise<Work> {
  person.army();
  // Git speaks of folders by their real names.
  const root = realpathSync(person.sandbox.root);
  const where = { root, folder: join(person.relayDir(), WORK_FOLDER) };
  return beginWork(makeWorkplace({ "a.txt": "one\n" }, record, where), ["inferno", "glacier"]);
}

async function handOver(work: Work, role: Role, id: string, files: Record<string, string>): Promise<void> {
  await takeTask(work, role, id);
  commit(work.treeOf(role), files, `work on ${id}`);
  await handIn(work, role, new Date());
}

function cardOf(page: Page, id: string): Locator {
  return page.locator(`[data-task="${id}"]`);
}

async function open(page: Page, id: string): Promise<Locator> {
  const card = cardOf(page, id);
  await card.locator(".task-row").click();
  await card.locator(".task-body").waitFor();
  return card;
}

it("a task moves through its states and its card follows, with what it changes and the output of its check live", async (test) => {
  await using person = makePerson();
  const [go, mend] = [join(person.sandbox.root, "go"), join(person.sandbox.root, "mended")];
  const check = `echo climbing; until [ -e ${go} ]; do sleep 0.05; done; echo at the top; ! grep -q two *.txt || [ -e ${mend} ]`;
  const work = await beginPlan(person, { check });
  const browser = await startBrowser(person.sandbox, test);
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.getByText("No task is waiting or in progress.").waitFor();
  const id = work.board.add(task("climb the wall", { to: "inferno", goal: "up to the top" }));
  const says = (words: string): Promise<void> => cardOf(page, id).getByText(words).first().waitFor();
  await says("open");
  await takeTask(work, "inferno", id);
  await says("taken");
  const card = await open(page, id);
  await says("up to the top");
  await says("Nothing is committed yet.");
  commit(work.treeOf("inferno"), { "a.txt": "one\ntwo\n" }, "climb");
  await handIn(work, "inferno", new Date());
  await says("ready");
  await card.getByText("a.txt").click();
  await expect.poll(() => card.locator(".diff .added").allTextContents()).toEqual(["+two\n"]);
  const landing = landReady(work, { stop: never, tell: () => {} });
  await says("being checked");
  await says("The check is running");
  await expect.poll(() => card.locator(".screen").textContent()).toContain("climbing");
  expect(await card.locator(".screen").textContent()).not.toContain("at the top\n");
  writeFileSync(go, "");
  await landing;
  await says("returned");
  await expect.poll(() => card.locator(".screen").textContent()).toContain("at the top\n");
  expect(await card.locator(".task-row .warning").textContent()).toContain("returned: ");
  writeFileSync(mend, "");
  commit(work.treeOf("inferno"), { "a.txt": "one\ntwo\nthree\n" }, "mend it");
  await handIn(work, "inferno", new Date());
  await landReady(work, { stop: never, tell: () => {} });
  await says("landed");
  await says("Has landed: 1 file");
  await page.getByRole("progressbar", { name: "1 of 1 tasks have landed" }).waitFor();
  // Rendered anew where the landed ones are, and as it landed: against what was there before.
  await card.getByText("a.txt").click();
  await expect.poll(() => card.locator(".diff .added").allTextContents()).toEqual(["+two\n", "+three\n"]);
  expect(browser.errors).toEqual([]);
});

it.for(["light", "dark"] as const)(
  "a diff with hostile names and content stays text, and is readable for everybody in the %s theme",
  async (theme, test) => {
    await using person = makePerson();
    const work = await beginPlan(person);
    const id = work.board.add(task("<script>document.title='owned'</script>"));
    const name = `new\nline "quoted" <script>document.title='owned'<\u{2215}script>`;
    const content = `<img src=x onerror="document.title='owned'">\n\u202Egnp.exe\u001b[31m\nover\rwritten\n`;
    await handOver(work, "inferno", id, { [name]: content, "a.txt": "diff --git a/x b/x\n--- y\n+++ z\n" });
    const browser = await startBrowser(person.sandbox, test, { theme });
    const desk = await startDesk(person);
    const page = await browser.open(desk.link());
    const card = await open(page, id);
    await expect.poll(() => card.locator("summary").count()).toBe(2);
    const names = await card.locator("summary code").allTextContents();
    expect(names).toEqual(["a.txt", name.replace("\n", "␊")]);
    for (const summary of await card.locator("summary").all()) await summary.click();
    await expect
      .poll(() => card.locator(".diff .added").allTextContents())
      .toEqual([
        "+diff --git a/x b/x\n",
        "+--- y\n",
        "++++ z\n",
        `+<img src=x onerror="document.title='owned'">\n`,
        "+\uFFFDgnp.exe\uFFFD[31m\n",
        "+over␍written\n",
      ]);
    expect(await page.locator("img, main script").count()).toBe(0);
    expect(await page.title()).toBe("overlord – ovld desk");
    for (const width of [360, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await seriousFindings(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    }
    expect(browser.errors).toEqual([]);
  },
);

it("landing, returning with words and dropping are buttons, and what refuses them is shown in words", async (test) => {
  await using person = makePerson();
  const work = await beginPlan(person);
  const add = (title: string): string => work.board.add(task(title));
  const [landed, ready, other, open1] = [add("first"), add("second"), add("third"), add("fourth")];
  await handOver(work, "inferno", landed, { "a.txt": "landed\n" });
  await landReady(work, { stop: never, tell: () => {} });
  await handOver(work, "inferno", ready, { "b.txt": "ready\n" });
  await handOver(work, "glacier", other, { "c.txt": "other\n" });
  const browser = await startBrowser(person.sandbox, test);
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  const home = (file: string): string => join(work.home, file);

  // What the person has changed is in the way; then it is not.
  write(work.home, { "a.txt": "mine\n" });
  const land = page.getByRole("button", { name: "Bring what has landed into my branch" });
  await land.click();
  await page.getByText("Git would have to touch what you have changed, so nothing was done:").waitFor();
  expect(readFileSync(home("a.txt"), "utf8")).toBe("mine\n");
  gitAs(work.home, "checkout", "-q", "a.txt");
  await land.click();
  await page.getByText("main now has 2 commits more, from ovld/overlord.").waitFor();
  expect(readFileSync(home("a.txt"), "utf8")).toBe("landed\n");

  const card = await open(page, ready);
  expect(await card.getByRole("button", { name: "Return it" }).isDisabled()).toBe(true);
  await card.getByLabel("Reason for the agent (optional)").fill("with a test, please");
  await card.getByRole("button", { name: "Return it" }).click();
  await page.getByText(`${ready} goes back to its owner.`).waitFor();
  await card.getByText("returned by human: with a test, please").first().waitFor();
  expect(work.board.find(ready).state).toBe("returned");
  expect(person.army().countUnread("inferno")).toBe(1);

  const fourth = await open(page, open1);
  await fourth.getByRole("button", { name: `Drop ${open1}` }).click();
  expect(work.board.find(open1).state).toBe("open");
  await fourth.getByRole("button", { name: "Yes, drop it" }).click();
  await page.getByText(`${open1} is dropped. What was committed stays on`).waitFor();
  await fourth.waitFor({ state: "detached" });
  expect(work.board.find(open1).state).toBe("dropped");

  // It lands at the moment at which the person returns it: the desk has not shown that yet.
  const third = await open(page, other);
  await third.getByLabel("Reason for the agent (optional)").fill("too late");
  await page.route(/\/return\?/, async (route) => {
    await landReady(work, { stop: never, tell: () => {} });
    await route.continue();
  });
  await third.getByRole("button", { name: "Return it" }).click();
  await page.getByText(`That did not work: ${other} is landed`).waitFor();
  expect(work.board.find(other).state).toBe("landed");
  expect(existsSync(home("c.txt"))).toBe(false);
  expect(browser.errors.filter((error) => !error.includes("409"))).toEqual([]);
});

it("nothing of a plan is shown for an army without trees, and nobody without the cookie and the origin reads or changes one", async (test) => {
  await using person = makePerson();
  person.army("other");
  const work = await beginPlan(person);
  const id = work.board.add(task("secret"));
  const desk = await startDesk(person, "--session", "other");
  const browser = await startBrowser(person.sandbox, test);
  const page = await browser.open(desk.link());
  await page.getByRole("heading", { name: "Roles" }).waitFor();
  expect(await page.getByRole("heading", { name: "Plan" }).count()).toBe(0);
  await desk.newLink();
  const cookie = await desk.enter();
  const origin = `http://127.0.0.1:${desk.port}`;
  const post = async (route: string, headers: Record<string, string>) => {
    const body = JSON.stringify({ id, said: "no" });
    const type = { "content-type": "application/json", "content-length": String(body.length) };
    const path = `${desk.prefix}${route}?army=overlord`;
    return (await desk.ask(path, { method: "POST", headers: { ...type, ...headers }, body })).status;
  };
  for (const route of ["land", "return", "drop"]) {
    expect(await post(route, { origin })).toBe(401);
    expect(await post(route, { cookie })).toBe(403);
    expect(await post(route, { cookie, origin: "http://evil.example" })).toBe(403);
    expect(await post(route, { cookie, origin, host: "evil.example" })).toBe(421);
  }
  for (const route of ["task", "diff", "check"])
    expect((await desk.ask(`${desk.prefix}${route}?army=overlord&id=${id}`)).status).toBe(401);
  expect(work.board.find(id).state).toBe("open");
  const { status, text } = await desk.ask(`${desk.prefix}diff?id=..%2F..`, { headers: { cookie } });
  expect([status, text]).toEqual([400, '{"error":{"code":"usage"}}']);
});
