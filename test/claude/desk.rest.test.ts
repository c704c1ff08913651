import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Page } from "playwright-core";
import { expectState } from "../support/bell-expectations.ts";
import { startBrowser } from "../support/browser.ts";
import { seatClaudes, type ClaudeOptions, type ClaudeSeats } from "../support/claude-seats.ts";
import { startDesk } from "../support/desk.ts";
import { QUESTION, type ModelRequest, type Turn } from "../support/model.ts";
import { endIfThrown } from "../support/sandbox.ts";
import { soon, waitUntil } from "../support/wait-until.ts";
import { seededRandom } from "../torture/seeded-random.ts";

const ROUNDS = Number(process.env["OVLD_TEST_ROUNDS"] ?? 4);
const SEED = Number(process.env["OVLD_TEST_SEED"] ?? Date.now() % 1_000_000);
/** The dialog ignores keys at first. */
const DIALOG_TAKES_KEYS_AFTER_MS = 700;
const TWO = { questions: [QUESTION, { ...QUESTION, question: "With what?", multiSelect: true }] };
const PLAN = "# Take the hill\n\n1. climb\n2. plant the flag";

/** Every card kind, at a word in the prompt. */
function script({ last }: ModelRequest): Turn | undefined {
  if (last.includes("please question")) return { tool: "AskUserQuestion", input: TWO };
  if (last.includes("please plan")) return { tool: "ExitPlanMode", input: { plan: PLAN } };
  const edit = /please edit (\S+)/.exec(last)?.[1];
  if (edit !== undefined) return { tool: "Write", input: { file_path: edit, content: "the gate is open\n" } };
  return undefined;
}

async function openPage(test: Parameters<typeof startBrowser>[1], options: ClaudeOptions = {}) {
  const seats = await seatClaudes(["strategist"], { script, ...options });
  return endIfThrown(seats, async () => {
    const browser = await startBrowser(seats.world.sandbox, test);
    const desk = await startDesk(seats.world, "--session", seats.session);
    const page = await browser.open(desk.link());
    await page.getByText("strategist").filter({ visible: true }).first().waitFor();
    return { seats, page, read: () => seats.model.requests.at(-1)?.last ?? "" };
  });
}

it("a test that is skipped because there is no browser leaves no agent behind", async () => {
  const mark = `${process.env["OVLD_TEST_RUN"] ?? ""}skipped`;
  vi.stubEnv("OVLD_TEST_RUN", mark);
  vi.stubEnv("OVLD_TEST_CHROMIUM", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openPage({ skip: throwSkipped })).rejects.toThrow("skipped");
  const { findLeftovers } = await import(new URL("../../scripts/test-leftovers.mjs", import.meta.url).href);
  expect(await findLeftovers(mark)).toEqual([]);
});

it("a permission, a written file and questions are answered at the desk, and Claude Code does what was answered", async (test) => {
  const { seats, page, read } = await openPage(test);
  await using _ = seats;
  await ask(seats, "please run");
  await page.getByText(`touch ${seats.ran}`).waitFor();
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await page.getByLabel("Reason for the agent (optional)").fill("not today, says the person");
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await expect.poll(read, soon).toContain("not today, says the person");
  expect(existsSync(seats.ran)).toBe(false);
  await isAnswered(seats, page);

  await ask(seats, "please run");
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect.poll(() => existsSync(seats.ran), soon).toBe(true);
  await isAnswered(seats, page);

  const gate = join(seats.world.project, "gate.txt");
  await ask(seats, `please edit ${gate}`);
  await page.locator(".request", { hasText: "the gate is open" }).waitFor();
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect.poll(() => existsSync(gate) && readFileSync(gate, "utf8"), soon).toBe("the gate is open\n");
  await isAnswered(seats, page);

  await ask(seats, "please question");
  await page.getByLabel("In your own words").first().fill("the one by the sea");
  for (const option of ["left", "right"]) await page.getByRole("checkbox", { name: option }).check();
  await page.getByRole("button", { name: "Answer" }).click();
  await expect.poll(read, soon).toContain('"Which hill?"="the one by the sea"');
  expect(read()).toContain('"With what?"="left, right"');
  await isAnswered(seats, page);
  expect(seats.journal("answered").map(({ by, verdict }) => [by, verdict])).toEqual([
    ["desk", "deny"],
    ["desk", "allow"],
    ["desk", "allow"],
    ["desk", "answer"],
  ]);
});

it("what the dialog offers is allowed at the desk and not asked again, and an answer in the pane is seen at the desk", async (test) => {
  const { seats, page } = await openPage(test);
  await using _ = seats;
  await ask(seats, "please run");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await seats.pane("strategist").answer("enter");
  await page.locator(".request").waitFor({ state: "detached" });
  await expectState(seats, "idle");
  await ask(seats, "please run");
  // The last one is the only one, or all of them together, as in the dialog itself.
  await page
    .getByRole("button", { name: /^Allow, / })
    .last()
    .click();
  await isAnswered(seats, page);
  const before = seats.model.requests.length;
  await ask(seats, "please run");
  await expect.poll(() => seats.model.requests.length, soon).toBe(before + 2);
  expect(seats.journal("asked")).toHaveLength(2);
  expect(seats.journal("answered").map(({ by }) => by)).toEqual(["pane", "desk"]);
});

it("a plan is shown, sent back with words, and approved at the desk", async (test) => {
  const { seats, page, read } = await openPage(test, { mode: "plan" });
  await using _ = seats;
  await ask(seats, "please plan");
  await page.getByRole("button", { name: "Send back" }).click();
  await page.getByLabel("Reason for the agent (optional)").fill("the other hill");
  await page.getByRole("button", { name: "Send back" }).click();
  await expect.poll(read, soon).toContain("the other hill");
  await isAnswered(seats, page);
  await ask(seats, "please plan");
  await page.getByRole("button", { name: "Approve the plan" }).click();
  await expect.poll(read, soon).toMatch(/approved/i);
});

it(
  `in ${ROUNDS} races between the pane and the desk one verdict applies, and the desk says which`,
  async (test) => {
    const { seats, page } = await openPage(test, {
      script({ last }) {
        const [, round] = /please touch (\d+)/.exec(last) ?? [];
        return round ? { tool: "Bash", input: { command: `touch ${round}`, description: "it" } } : undefined;
      },
    });
    await using _ = seats;
    const random = seededRandom(SEED);
    const pane = seats.pane("strategist");
    for (let round = 1; round <= ROUNDS; round += 1) {
      await ask(seats, `please touch ${round}`);
      const allow = page.getByRole("button", { name: "Allow once" });
      await allow.waitFor();
      await waitUntil("the dialog is drawn", async () => (await pane.composer()) === undefined);
      await pause(DIALOG_TAKES_KEYS_AFTER_MS);
      const refusing = pause(random(120)).then(() => pane.type("4"));
      await pause(random(280));
      // The card may be gone by now: then the person was told by its going.
      const wasThere = await allow.click({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
      await refusing;
      const notice = page.locator(".notices .notice");
      const told = wasThere ? ((await notice.first().textContent()) ?? "") : "gone";
      if (wasThere) await notice.getByRole("button").click();
      await expectState(seats, "idle");
      await waitUntil("the composer is drawn", async () => (await pane.composer()) !== undefined);
      while ((await pane.composer()) !== "") await pane.press("backspace");
      const isOurs = told.includes("strategist has your answer.");
      const hasRun = existsSync(join(seats.world.project, String(round)));
      const by = seats.journal("answered").at(-1)?.["by"];
      expect([SEED, round, told, hasRun, by]).toEqual([SEED, round, told, isOurs, isOurs ? "desk" : "pane"]);
    }
    expect(seats.journal("answered")).toHaveLength(ROUNDS);
  },
  600_000 + ROUNDS * 30_000,
);

/** What vitest does, without skipping the test that calls it. */
function throwSkipped(): never {
  throw new Error("skipped");
}

function ask(seats: ClaudeSeats, prompt: string): Promise<void> {
  return seats.pane("strategist").say(prompt);
}

async function isAnswered(seats: ClaudeSeats, page: Page): Promise<void> {
  await page.locator(".request").waitFor({ state: "detached" });
  await expectState(seats, "idle");
}
