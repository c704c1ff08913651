import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { parseLines } from "../support/read-lines.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld } from "../support/zellij.ts";

const PATIENCE = { timeout: 120_000, interval: 50 };

it("five armies summoned at once start, each receives only its own mail, and all are ended at once", async () => {
  await using world = makeZellijWorld({ OVLD_WAKE: "pane" });
  const names = ["one", "two", "three", "four", "five"];
  const flags = ["--agent", "practice", "--detached", "--no-rituals"];
  const summoned = await Promise.all(names.map((name) => world.ovld("summon", ...flags, "--session", name)));
  expect(summoned.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, ""]));
  const mails = names.map((name) => openMail(world.relayDir(name)));
  await waitUntil("every storm is idle", () => mails.every(isIdle), PATIENCE);
  await Promise.all(names.map((name) => world.ovld("send", "storm", `for ${name}`, "--session", name)));
  await waitUntil("all is read", () => mails.every((mail) => mail.countUnread("storm") === 0), PATIENCE);
  for (const name of names) {
    const { stdout } = await world.ovld("log", "--session", name, "--json");
    const lines = parseLines<Record<string, string>>(stdout);
    const orders = lines.filter(({ event, from }) => event === "stored" && from === "human");
    expect(orders.map(({ subject }) => subject)).toEqual([`for ${name}`]);
    const read = lines.filter(({ event, id }) => event === "read" && id === orders[0]?.["id"]);
    expect(read).toHaveLength(1);
  }
  expect(await world.ovld("unsummon", "--all", "--yes")).toMatchObject({ code: 0, stderr: "" });
  expect(await world.sessions()).toBe("");
  expect(names.filter((name) => existsSync(world.relayDir(name)))).toEqual([]);
});

function isIdle(mail: ReturnType<typeof openMail>): boolean {
  return mail.agentReport("storm")?.state === "idle";
}
