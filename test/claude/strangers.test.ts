import { expect, it } from "vitest";
import { postToInbox } from "../../src/agent/claude/claude-link.ts";
import { expectRead } from "../support/bell-expectations.ts";
import { seatClaudes, type ClaudeOptions } from "../support/claude-seats.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

/** Only a hang reaches these: typing takes its time on a busy machine. */
const ONLY_A_HANG_MS = 240_000;
const LATE = { timeout: 120_000 };
const STRANGE = "a line from a process that is no child of the agent";

/** Root may use the mode only in a sandbox, and a person has accepted it before. */
const BYPASS: ClaudeOptions = {
  mode: "bypassPermissions",
  env: { IS_SANDBOX: "1" },
  personSettings: { skipDangerousModePermissionPrompt: true },
};

const POSTED = /<cross-session-message from="ovld"/;
const TYPED = /^\[MESSAGE from overlord\]/;

const PEOPLE: [string, ClaudeOptions, bell: RegExp, notice: string][] = [
  ["in bypass mode", BYPASS, POSTED, "Held message from another session"],
  [
    "of a person who holds messages",
    { personSettings: { crossSessionInbound: "hold" } },
    TYPED,
    "Held peer message",
  ],
  ["of a person who refuses messages", { personSettings: { crossSessionInbound: "refuse" } }, TYPED, ""],
];

it.each(PEOPLE)(
  "a Claude Code %s is woken by its own bell, and by no stranger's line",
  async (_whose, options, bell, notice) => {
    await using seats = await seatClaudes(["strategist"], options);
    const screen = (): Promise<string> => seats.pane("strategist").screen();
    const { id } = seats.mail.deliver(letter);
    await expectRead(seats, [id], LATE);
    // On a busy machine a bell that is heard late is rung again, perhaps in another way; and Claude Code writes its
    // transcript after it has acted.
    await expect.poll(() => seats.prompts("strategist"), soon).toContainEqual(expect.stringMatching(bell));
    expect(await screen()).not.toContain("Held");
    const { CLAUDE_CODE_MESSAGING_SOCKET: path = "" } = seats.relayEnv("strategist");
    expect(await postToInbox({ path, token: undefined }, "stranger", STRANGE)).toBe(true);
    await expect.poll(screen, soon).toContain(notice);
    // A refusal shows nothing; what comes after the line is read, and the line itself is not.
    if (notice === "") await expectRead(seats, [id, seats.mail.deliver(letter).id], LATE);
    expect(JSON.stringify(seats.model.requests)).not.toContain(STRANGE);
  },
  ONLY_A_HANG_MS,
);
