import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startAsker } from "../support/askers.ts";
import { startBrowser } from "../support/browser.ts";
import { startDesk } from "../support/desk.ts";
import { makePerson } from "../support/person.ts";
import { COMMAND } from "../support/requests.ts";
import { letter } from "../support/store.ts";

const MARKUP = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const BIDI = "safe \u202Egnp.exe";

it("text from agents stays text: markup, script, control and bidirectional characters, emoji, Japanese, a 64 KiB line", async (test) => {
  await using person = makePerson();
  const mail = person.army();
  const browser = await startBrowser(person.sandbox, test);
  const asker = await startAsker(person, "storm");
  const long = "長".repeat(21_000);
  mail.deliver({ ...letter, subject: `${MARKUP.slice(0, 90)} 🏯 城`, body: `${MARKUP}\n${BIDI}\n${long}` });
  mail.setStatus("inferno", "blocked", `${MARKUP} ${BIDI}`);
  const command = `echo ${MARKUP} ${BIDI} \u001b[31mred\u0007 🏯 城 ${"x".repeat(30_000)} the-end`;
  const stored = asker.ask({ ...COMMAND, tool: MARKUP, action: { what: "command", command } });
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  const card = page.locator(`[data-request="${stored.request.id}"]`);
  const shown = await card.locator("pre").textContent();
  const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Bidi_Control}]/u;
  expect(shown).toBe(command.replaceAll(new RegExp(hidden, "gu"), "\uFFFD"));
  await card.getByText("Characters that cannot be shown").waitFor();
  // All of it is on the page: the block does not scroll.
  const cut = await card.locator("pre").evaluate((block: any) => block.scrollHeight - block.clientHeight);
  expect(cut).toBe(0);
  await page.locator("[data-message]").click();
  const body = await page.locator(".story pre").textContent();
  expect(body).toBe(`${MARKUP}\n${BIDI.replace("\u202E", "\uFFFD")}\n${long}`);
  expect(await page.locator("img, iframe, object, main script").count()).toBe(0);
  expect(hidden.test((await page.locator("main").textContent()) ?? "")).toBe(false);
  expect(await page.title()).toBe("(1) overlord – ovld desk");
  expect(browser.errors).toEqual([]);
});

it("a message is seen as it is stored, and the picture survives a journal that is rotated, damaged and replaced", async (test) => {
  await using person = makePerson();
  const mail = person.army();
  const browser = await startBrowser(person.sandbox, test);
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.getByText("No message in this time.").waitFor();
  const send = (subject: string): void => void mail.deliver({ ...letter, subject });
  const seen = (subject: string): Promise<void> => page.getByRole("button", { name: subject }).waitFor();
  send("before anything");
  await seen("before anything");
  const journal = join(person.relayDir(), "journal.jsonl");
  mkdirSync(join(person.relayDir(), "journal"), { recursive: true });
  renameSync(journal, join(person.relayDir(), "journal/00000001.jsonl"));
  send("after the rotation");
  await seen("after the rotation");
  appendFileSync(journal, `{"at":"2026\nnot json at all\u0000\n${"y".repeat(3_000_000)}\n`);
  send("after the damage");
  await seen("after the damage");
  rmSync(join(person.relayDir(), "journal"), { recursive: true });
  writeFileSync(journal, "");
  send("after it was replaced");
  await seen("after it was replaced");
  // What is read again is what is there now.
  await page.reload();
  await seen("after it was replaced");
  expect(await page.getByRole("button", { name: "before anything" }).count()).toBe(0);
  expect(browser.errors).toEqual([]);
});

it("after an hour of sleep the page connects again and shows what happened meanwhile", async (test) => {
  await using person = makePerson();
  const mail = person.army();
  const browser = await startBrowser(person.sandbox, test);
  const desk = await startDesk(person);
  const page = await browser.context.newPage();
  await page.clock.install();
  await page.goto(desk.link());
  await page.getByText("No message in this time.").waitFor();
  // The desk hears of the page only when the message is already stored, so nothing but reading again can show it.
  await page.route(/\/events/, async (route) => {
    mail.deliver({ ...letter, subject: "in the night" });
    await route.continue();
  });
  await page.clock.fastForward("01:00:00");
  await page.getByRole("button", { name: "in the night" }).waitFor();
  mail.deliver({ ...letter, subject: "good morning" });
  await page.getByRole("button", { name: "good morning" }).waitFor();
  expect(browser.errors).toEqual([]);
});

it("a desk whose process is stopped is said not to answer, and the page follows it when it goes on", async (test) => {
  await using person = makePerson();
  const mail = person.army();
  const browser = await startBrowser(person.sandbox, test);
  const desk = await startDesk(person);
  const page = await browser.context.newPage();
  await page.clock.install();
  await page.goto(desk.link());
  await page.getByText("No message in this time.").waitFor();
  desk.command.kill("SIGSTOP");
  await page.clock.fastForward("00:30");
  const isSaid = page.getByText("The desk does not answer.");
  await isSaid.waitFor();
  desk.command.kill("SIGCONT");
  await isSaid.waitFor({ state: "detached" });
  mail.deliver({ ...letter, subject: "good morning" });
  await page.getByRole("button", { name: "good morning" }).waitFor();
  expect(browser.errors).toEqual([]);
});

it("a desk that was killed is said to be gone, and nothing of the army is missing", async (test) => {
  await using person = makePerson();
  const mail = person.army();
  mail.deliver(letter);
  const browser = await startBrowser(person.sandbox, test);
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.locator("[data-message]").waitFor();
  desk.command.kill("SIGKILL");
  await page.getByText("The desk does not answer. If ovld desk has ended, start it again.").waitFor();
  expect(mail.countUnread("strategist")).toBe(1);
  expect((await person.ovld(["status", "--json"])).code).toBe(0);
});

it("several requests are chosen and answered together, and one that ends meanwhile is told", async (test) => {
  await using person = makePerson();
  person.army();
  const browser = await startBrowser(person.sandbox, test);
  const askers = [await startAsker(person, "storm"), await startAsker(person, "shadow")];
  const [first, second] = askers.map((asker) => asker.ask(COMMAND));
  const desk = await startDesk(person);
  const page = await browser.open(desk.link());
  await page.getByLabel("Choose this request of storm").check();
  await page.getByLabel("Choose this request of shadow").check();
  await page.getByText("2 chosen").waitFor();
  await page.getByRole("button", { name: "Allow the chosen ones once" }).click();
  if (first === undefined || second === undefined) throw new Error("nothing was asked");
  expect((await askers[0]?.taken(first))?.verdict.verdict).toBe("allow");
  askers[1]?.end(second, "pane");
  await page.getByText("storm has your answer.").waitFor();
  await page.getByText("shadow had already been answered in its pane.").waitFor();
  await page.getByText("Nothing needs you.").waitFor();
});
