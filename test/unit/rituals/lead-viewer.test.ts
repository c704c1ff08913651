import { expect, it } from "vitest";
import type { Role } from "../../../src/army/roles.ts";
import { claudeScreen as agentScreen } from "../../../src/agent/claude/claude-screen.ts";
import { watchViewer } from "../../../src/rituals/giving/give-ritual.ts";
import { makeFakeArmy, type FakeArmy } from "../../support/fake-army.ts";
import { makeSandbox } from "../../support/sandbox.ts";

/** Looks, lets something happen, and moves the focus. */
async function lead(army: FakeArmy, role: Role, meanwhile: () => void = () => {}): Promise<void> {
  const viewer = await watchViewer({ zellij: army.zellij, session: "army", agentScreen });
  meanwhile();
  await viewer(role);
}

it("R3.1 R3.3a R3.3b a viewer is taken to the tab by its name, and then from pane to pane", async () => {
  await using sandbox = makeSandbox();
  const army = await makeFakeArmy(sandbox);
  army.viewers.push("overlord");
  await lead(army, "storm");
  expect(army.viewers).toEqual(["storm"]);
  expect(army.moves()).toEqual([
    "go-to-tab-name support",
    "move-focus down",
    "move-focus down",
    "go-to-tab-name support",
  ]);
  await lead(army, "overlord");
  expect(army.viewers).toEqual(["overlord"]);
});

it("no focus is moved if nobody is attached", async () => {
  await using sandbox = makeSandbox();
  const army = await makeFakeArmy(sandbox);
  await lead(army, "storm");
  expect(army.moves()).toEqual([]);
});

it.each<[string, (army: FakeArmy) => void]>([
  ["has typed in the pane they look at", (army) => army.pane("overlord").press("p")],
  ["has a draft in another pane", (army) => army.pane("glacier").press("half a th")],
  ["has gone to another pane", (army) => void (army.viewers[0] = "strategist")],
  ["has come", (army) => void army.viewers.push("inferno")],
  ["sees something else, without a composer", (army) => void army.shows.set("overlord", ["> p"])],
])("no focus is moved when somebody %s", async (_, meanwhile) => {
  await using sandbox = makeSandbox();
  const army = await makeFakeArmy(sandbox);
  army.viewers.push("overlord");
  await lead(army, "storm", () => meanwhile(army));
  expect(army.moves()).toEqual([]);
});

it("no focus is moved when a screen without a composer changes", async () => {
  await using sandbox = makeSandbox();
  const army = await makeFakeArmy(sandbox);
  army.viewers.push("overlord");
  army.shows.set("overlord", ["> "]);
  await lead(army, "storm", () => void army.shows.set("overlord", ["> p"]));
  expect(army.moves()).toEqual([]);
});

it("a draft that was in a composer all the time keeps the focus where it is", async () => {
  await using sandbox = makeSandbox();
  const army = await makeFakeArmy(sandbox);
  army.viewers.push("overlord");
  army.pane("overlord").press("half a th");
  await lead(army, "storm");
  expect(army.moves()).toEqual([]);
});

it("the pane in a viewer's view is checked last before the first step", async () => {
  await using sandbox = makeSandbox();
  const army = await makeFakeArmy(sandbox);
  army.viewers.push("overlord");
  await lead(army, "inferno");
  const first = army.calls.findIndex((call) => call.startsWith("go-to-tab-name"));
  expect(army.calls.slice(first - 2, first)).toEqual(["list-clients", "dump-screen --pane-id terminal_0"]);
});

it.each(["go-to-tab-name support", "move-focus down"])(
  "a person who begins to type during the step %o gets the focus back before another step",
  async (step) => {
    await using sandbox = makeSandbox();
    const army = await makeFakeArmy(sandbox);
    army.viewers.push("overlord");
    let typed = false;
    army.before = (call) => {
      if (call !== step || typed) return;
      typed = true;
      army.pane("overlord").press("p");
    };
    await lead(army, "storm");
    expect(army.viewers).toEqual(["overlord"]);
    const at = army.moves().indexOf(step);
    expect(army.moves().slice(at)).toEqual([step, "focus-pane-id terminal_0"]);
  },
);

it("a letter that is drawn only some time after the move brings the focus back, too", async () => {
  await using sandbox = makeSandbox();
  const army = await makeFakeArmy(sandbox);
  army.viewers.push("overlord", "strategist");
  let looks = 0;
  army.before = (call) => {
    if (army.moves().length === 0 || !call.startsWith("dump-screen --pane-id terminal_1")) return;
    looks += 1;
    if (looks === 4) army.pane("strategist").press("p");
  };
  await lead(army, "inferno");
  // It returns to the pane in which somebody types, even if others are watching.
  expect(army.moves()).toEqual(["go-to-tab-name battlefield", "focus-pane-id terminal_1"]);
});

it("a Zellij that refuses leaves the focus where it is, and nothing is reported", async () => {
  await using sandbox = makeSandbox();
  const army = await makeFakeArmy(sandbox);
  army.viewers.push("overlord");
  const silent = { ...army.zellij, program: "/nonexistent/zellij" };
  const viewer = await watchViewer({ zellij: silent, session: "army", agentScreen });
  await viewer("storm");
  expect(army.calls).toEqual([]);
});
