import { expect, it } from "vitest";
import { questionOf } from "../../src/person/letters.ts";
import { expectRead } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import { soon } from "../support/wait-until.ts";

const QUESTION = { to: "human", subject: "Which port?", body: "8080 or 9090?", status: "blocked" };

it("a question of a real Claude Code reaches the person, and their answer wakes it, which ends its wait", async () => {
  await using seats = await seatClaudes(["overlord"], {
    script: ({ last }) =>
      last.includes("please question")
        ? { tool: "mcp__ovld-relay__send_message", input: QUESTION }
        : undefined,
  });
  await seats.pane("overlord").say("please question");
  await expect.poll(() => seats.mail.countUnread("human"), soon).toBe(1);
  await expect.poll(() => seats.mail.status("overlord").waitsFor, soon).toBe("human");
  expect(questionOf(seats.mail, seats.mail.status("overlord"))).toMatchObject({ body: "8080 or 9090?" });
  const answer = {
    from: "human",
    to: "overlord",
    subject: "Re: Which port?",
    body: "8080",
    priority: "normal",
  } as const;
  const { id } = seats.mail.deliver(answer);
  await expectRead(seats, [id], { role: "overlord" });
  await expect.poll(() => seats.mail.status("overlord").status, soon).toBe("working");
});
