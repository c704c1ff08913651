import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Verdict } from "../../../src/mail/records/request.ts";
import { identifyOurselves } from "../../../src/system/process.ts";
import { COMMAND, makeRequests, PLAN, TWO_QUESTIONS, type RequestFixture } from "../../support/requests.ts";
import { openRequests } from "../../../src/requests/request-box.ts";
import { startRelayLookalike } from "../../support/stand-in.ts";

const ALLOW: Verdict = { verdict: "allow", suggestions: [0] };
const DENY: Verdict = { verdict: "deny", reason: "not today" };
const DEAD = "999999-1.0" as const;
it("requests of every kind are read back as they were asked, oldest first", async () => {
  await using store = makeRequests();
  const asked = [COMMAND, TWO_QUESTIONS, PLAN].map((each) => store.ask(each));
  expect(store.person.open("inferno")).toEqual(asked);
  expect(store.person.open("storm")).toEqual([]);
  expect(store.journal().map(({ event, kind }) => [event, kind])).toEqual([
    ["asked", "permission"],
    ["asked", "question"],
    ["asked", "plan"],
  ]);
});

it("a command of 30 kB is there completely, and of a request that is too large only its size", async () => {
  await using store = makeRequests();
  const command = "x".repeat(30_000);
  const [small, large] = [command, "y".repeat(2_000_000)].map((each) =>
    store.ask({ ...COMMAND, action: { what: "command", command: each } }),
  );
  expect(small?.request).toMatchObject({ action: { command } });
  expect(large?.request).toMatchObject({ kind: "oversized", tool: "Bash", bytes: expect.any(Number) });
  expect(store.person.open("inferno").map(({ request }) => request.kind)).toEqual([
    "permission",
    "oversized",
  ]);
});

it("the first answer wins, and the relay gets it as it was given", async () => {
  await using store = makeRequests();
  const request = store.ask();
  const given = store.person.answer(request, "desk", ALLOW);
  expect(store.person.answer(request, "terminal", DENY)).toBeUndefined();
  expect(store.person.open("inferno")).toEqual([]);
  expect(store.relay.takeAnswer(request)).toEqual(given);
  expect(given).toMatchObject({ from: "desk", verdict: ALLOW });
});

it("an answer is the same to the relay in whatever order its fields were given", async () => {
  await using store = makeRequests();
  const request = store.ask();
  store.person.answer(request, "desk", { suggestions: [], verdict: "allow" });
  expect(store.relay.takeAnswer(request)).toMatchObject({ verdict: { verdict: "allow" } });
});

it("an ended request is gone with its answer, and a late answer learns how it ended", async () => {
  await using store = makeRequests();
  const [answered, refused] = [store.ask(), store.ask()];
  store.person.answer(answered, "desk", ALLOW);
  store.relay.end(answered, store.relay.takeAnswer(answered) ?? "gone");
  store.relay.end(refused, "pane");
  expect(store.person.answer(refused, "desk", ALLOW)).toBeUndefined();
  expect([answered, refused].map(({ request }) => store.person.endOf("inferno", request.id)?.by)).toEqual([
    "desk",
    "pane",
  ]);
  expect(filesOf(store)).toEqual(["ended"]);
  expect(store.journal().slice(2)).toMatchObject([
    { event: "answered", by: "desk", verdict: "allow", tool: "Bash" },
    { event: "answered", by: "pane" },
  ]);
});

it("an answer to a request that was shown differently is not taken", async () => {
  await using store = makeRequests();
  const request = store.ask({ ...COMMAND, action: { what: "command", command: "rm -r castle" } });
  const file = store.path("requests", "inferno", `${request.request.id}.json`);
  writeFileSync(`${file}.new`, readFileSync(file, "utf8").replace("rm -r castle", "ls castle"));
  renameSync(`${file}.new`, file);
  const [shown] = store.person.open("inferno");
  expect(shown?.request).toMatchObject({ action: { command: "ls castle" } });
  if (shown) store.person.answer(shown, "desk", ALLOW);
  expect(store.relay.takeAnswer(request)).toBeUndefined();
});

it("an answer to another request is not taken", async () => {
  await using store = makeRequests();
  const [first, second] = [store.ask(), store.ask()];
  store.person.answer(first, "desk", ALLOW);
  const folder = store.path("requests", "inferno");
  renameSync(join(folder, `${first.request.id}.answer`), join(folder, `${second.request.id}.answer`));
  expect(store.relay.takeAnswer(second)).toBeUndefined();
});

it("what a dead relay left is not shown, and the role's next relay removes it", async () => {
  await using store = makeRequests();
  const dead = store.relay.publish({ role: "inferno", relay: DEAD }, COMMAND);
  const alive = store.ask();
  writeFileSync(store.path("requests", "inferno", `${dead.request.id}.answer`), "");
  expect(store.person.open("inferno")).toEqual([alive]);
  store.relay.tidy("inferno");
  expect(filesOf(store)).toEqual([`${alive.request.id}.json`]);
});

it("links, pipes, folders and broken files among the requests neither block nor are shown", async () => {
  await using store = makeRequests();
  const folder = store.path("requests", "inferno");
  const good = store.ask();
  const name = (letter: string): string => join(folder, `${letter.repeat(12)}-${letter.repeat(6)}.json`);
  symlinkSync(join(folder, `${good.request.id}.json`), name("a"));
  expect(spawnSync("mkfifo", [name("b"), join(folder, `${good.request.id}.answer`)]).status).toBe(0);
  mkdirSync(name("c"));
  writeFileSync(name("d"), "{");
  expect(store.relay.takeAnswer(good)).toBeUndefined();
  expect(existsSync(join(folder, `${good.request.id}.answer`))).toBe(false);
  expect(store.person.open("inferno")).toEqual([good]);
});

it("a store of an older ovld gets its folder for requests when the first one is asked", async () => {
  await using store = makeRequests();
  rmSync(store.path("requests"), { recursive: true });
  expect(store.person.open("inferno")).toEqual([]);
  const request = store.ask();
  expect(store.person.open("inferno")).toEqual([request]);
});

it("a copy of the store has no requests", async () => {
  await using store = makeRequests();
  store.ask();
  const copy = join(store.sandbox.root, "copy");
  store.mail.copyTo(copy, { forUse: true });
  expect(existsSync(join(copy, "requests"))).toBe(false);
  store.mail.cleanUp();
  expect(existsSync(store.path())).toBe(false);
});

it("a desk counts as open while its process lives and has not closed it", async () => {
  await using store = makeRequests();
  store.person.openDesk(DEAD);
  expect(store.relay.isDeskOpen()).toBe(false);
  const close = store.person.openDesk(identifyOurselves());
  expect(store.relay.isDeskOpen()).toBe(true);
  close();
  expect(store.relay.isDeskOpen()).toBe(false);
});

function filesOf(store: RequestFixture): string[] {
  return readdirSync(store.path("requests", "inferno"));
}

it("the requests of all roles are listed, oldest first", async () => {
  await using store = makeRequests();
  const roles = ["storm", "overlord", "inferno"] as const;
  const asked = roles.map((role) => {
    const relay = startRelayLookalike(store.sandbox, store.dir, role);
    return store.relay.publish({ role, relay }, COMMAND);
  });
  expect(openRequests(store.person)).toEqual(asked);
  const [first] = asked;
  if (first) store.relay.end(first, "pane");
  expect(openRequests(store.person)).toEqual(asked.slice(1));
});

it("a request whose relay has ended is not shown", async () => {
  await using store = makeRequests();
  store.relay.publish({ role: "inferno", relay: "999999999-1" }, COMMAND);
  expect(openRequests(store.person)).toEqual([]);
});
