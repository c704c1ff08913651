import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runNotifyCommand } from "../../src/requests/notify-person.ts";
import { seatStrategist, startAgent } from "../support/hooked-relay.ts";
import { openRequestBox } from "../../src/requests/request-box.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { startStandIn } from "../support/stand-in.ts";
import { TEXTS } from "../support/texts.ts";
import { soon } from "../support/wait-until.ts";

const MANY = 600;
/** An agent that goes on writing is told of again after this. */
const PAUSE_MS = 60_000;

it("the person's own command gets one text with a count on its stdin, however much an agent writes; what is accepted is kept, what is not is refused clearly, and others still get through", async () => {
  await using sandbox = makeSandbox();
  const file = join(sandbox.root, "told");
  const command = `cat >> '${file}'; echo "$# --" >> '${file}'`;
  const { agent, mail } = await seatStrategist(sandbox, { OVLD_NOTIFY_COMMAND: command, OVLD_LANG: "en" });
  const letter = { to: "human", subject: "Which $(touch x) port?", body: "8080\u001b[2J" };
  const answers: string[] = [];
  const began = performance.now();
  for (let count = 0; count < MANY; count += 1) answers.push((await agent.call("send_message", letter)).text);
  const text = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  await expect.poll(text, soon).toContain("0 --\n");
  expect(text()).toMatch(
    /^strategist has written to you(, \d+ messages)? \(army test\)\n\nWhich \$\(touch x\) port\?\n/,
  );
  expect(text()).not.toContain("\u001b");
  // One, unless the machine is so slow that the pause after it is over.
  const most = 1 + Math.floor((performance.now() - began) / PAUSE_MS);
  expect(text().match(/has written/g)?.length).toBeLessThanOrEqual(most);
  const accepted = answers.filter((answer) => answer === "stored").length;
  expect(accepted).toBe(500);
  expect(new Set(answers.slice(accepted))).toEqual(
    new Set([
      "Not stored. human has not read 500 messages of strategist, and there is no room for more of them. Wait until some are read.",
    ]),
  );
  const overlord = await startAgent(sandbox, "overlord", join(sandbox.root, "inbox.sock"));
  expect((await overlord.call("send_message", letter)).text).toBe("stored");
  expect(mail.countUnread("human")).toBe(accepted + 1);
});

it("a command that fails is said once, by mail from ovld, and an agent's request reaches the command", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seatStrategist(sandbox, {
    OVLD_NOTIFY_COMMAND: "echo no route >&2; exit 3",
    OVLD_LANG: "en",
  });
  await agent.call("send_message", { to: "human", subject: "One", body: "" });
  const said = () =>
    mail.headers("human", mail.unread("human", { handedOut: false })).map(({ from }) => from);
  await expect.poll(said, soon).toEqual(["strategist", "ovld"]);
  const [, failure] = mail.claim("human").messages;
  expect(failure).toMatchObject({
    subject: "Your notify command failed",
    body: expect.stringContaining("(exit code 3), and perhaps fails each time: no route"),
  });
});

it("a command that hangs is ended with everything that it has started", async () => {
  await using sandbox = makeSandbox();
  const began = performance.now();
  const failed = await runNotifyCommand("sleep 300 & wait", "text", sandbox.env, 300);
  expect(failed).toEqual({ code: null, seconds: 0.3, said: "" });
  expect(TEXTS.ja.inbox.notifyFailed(null, 0.3, "").body).toContain("0.3 秒で終わりませんでした。今後も");
  expect(performance.now() - began).toBeLessThan(20_000);
});

it("a command that reads nothing is no failure", async () => {
  await using sandbox = makeSandbox();
  expect(await runNotifyCommand("true", "x".repeat(1_000_000), sandbox.env)).toBeUndefined();
});

it("what was written just before the relay ended reaches the command, also while a desk is open", async () => {
  await using sandbox = makeSandbox();
  const file = join(sandbox.root, "told");
  const { agent } = await seatStrategist(sandbox, { OVLD_NOTIFY_COMMAND: `cat > '${file}'` });
  openRequestBox(sandbox.relayDir).openDesk(startStandIn(sandbox, ["desk"]));
  await agent.call("send_message", { to: "human", subject: "The last word", body: "" });
  await agent.close();
  const text = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  await expect.poll(text, soon).toContain("The last word");
});
