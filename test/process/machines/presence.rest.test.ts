import { expect, it } from "vitest";
import { readBoard, readHubClock, writeBoard } from "../../../src/machines/carrier/board.ts";
import type { Link } from "../../../src/machines/carrier/link.ts";
import {
  believe,
  keepPresent,
  readPresence,
  type PresenceKeeper,
} from "../../../src/machines/carrier/presence.ts";
import { startHub, type TestHub } from "../../support/nats.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

const news = (instance: string) => ({
  format: 1,
  machine: instance,
  host: "host",
  instance,
  status: "idle" as const,
  task: "",
  updated: null,
  unread: 0,
});

async function linkOf(hub: TestHub): Promise<Link> {
  const link = hub.link(hub.keys.storm.seed);
  await link.whenUp(20_000);
  return link;
}

/** One machine's relay of storm, as far as it says where the role is. */
function appear(sandbox: Sandbox, link: Link, instance: string): PresenceKeeper {
  const describe = () => news(instance);
  const presence = keepPresent({ role: "storm", link, instance, describe, onOurs: () => {} });
  sandbox.defer(() => presence.close());
  return presence;
}

it("of machines that begin with the same role at the same moment, one has it, and the others are refused with its name", async () => {
  await using sandbox = makeSandbox();
  const hub = await startHub(sandbox);
  const names = ["one", "two", "three", "four"];
  const links = await Promise.all(names.map(async (name) => ({ name, link: await linkOf(hub) })));
  const machines = links.map(({ name, link }) => appear(sandbox, link, name));
  await expect
    .poll(() => machines.every((each) => each.isOurs() || each.refusal() !== undefined), soon)
    .toBe(true);
  const [owner, ...more] = names.filter((_name, index) => machines[index]?.isOurs());
  expect(more).toEqual([]);
  for (const each of machines.filter((machine) => !machine.isOurs())) {
    expect(each.refusal()).toMatchObject({ facts: { machine: `${owner} (host)` } });
  }
});

it("a relay that was frozen until another machine had its role leaves the role to that machine", async () => {
  await using sandbox = makeSandbox();
  const hub = await startHub(sandbox);
  const frozen = appear(sandbox, await linkOf(hub), "frozen");
  await expect.poll(() => frozen.isOurs(), soon).toBe(true);
  const rival = await linkOf(hub);
  const text = JSON.stringify(news("rival"));
  expect(await writeBoard(rival, { kind: "presence", user: "storm", text })).toBeTruthy();
  await expect.poll(() => frozen.refusal(), soon).toMatchObject({ facts: { machine: "rival (host)" } });
  expect(frozen.isOurs()).toBe(false);
});

it("what a machine said long ago by the hub's clock does not keep a role from another one, even if the hub has not removed it", async () => {
  await using sandbox = makeSandbox();
  const hub = await startHub(sandbox);
  const storm = await linkOf(hub);
  const text = JSON.stringify(news("gone"));
  expect(await writeBoard(storm, { kind: "presence", user: "storm", text })).toBeTruthy();
  const person = hub.link(hub.keys.human.seed);
  await person.whenUp(20_000);
  expect(await readPresence(person, "storm", "human")).toMatchObject({ machine: "gone" });
  const { at = 0 } = (await readBoard(person, "presence", "storm")) ?? {};
  for (const [link, user] of [
    [person, "human"],
    [storm, "storm"],
  ] as const) {
    const now = (await readHubClock(link, user)) ?? 0;
    expect(now).toBeGreaterThanOrEqual(at);
    expect(believe({ text, at }, now)).toMatchObject({ machine: "gone" });
    expect(believe({ text, at }, now + 40_000)).toBeUndefined();
  }
});
