import { expect, it } from "vitest";
import type { Language } from "../../../src/army/words.ts";
import {
  formatBoard,
  formatMissing,
  newCampaign,
  type Campaign,
} from "../../../src/cli/commands/practice/campaign.ts";
import type { AgentReport, BellReport } from "../../../src/mail/records/agent-report.ts";
import { TEXTS } from "../../support/texts.ts";

const at = new Date(0).toISOString();
const message = {
  id: "0m",
  from: "human",
  to: "overlord",
  subject: "A castle",
  stored: at,
} as const;
const stopped: Campaign = {
  ...newCampaign(),
  messages: [message],
  standings: { ...newCampaign().standings, overlord: { status: "blocked", task: "the moat" } },
};

function missing(bell: BellReport, language: Language): string[] {
  const report: AgentReport = {
    role: "overlord",
    relay: "1-1",
    state: "busy",
    since: at,
    evidence: "hook",
    bell,
  };
  return formatMissing(stopped, { agentReport: () => report }, TEXTS[language]);
}

it("what is missing is said in words a person knows, in both languages", () => {
  const rung = { state: "rung", way: "socket", at, attempt: 1 } as const;
  expect(missing(rung, "en")).toEqual([
    'overlord has not read "A castle" from human: its agent\'s state: working; its mail: notified',
    "the overlord has not reported the result; its status is blocked",
  ]);
  expect(missing({ state: "quiet" }, "en")[0]).toContain("its mail: not notified");
  expect(missing(rung, "ja")).toEqual([
    "overlord は human からの「A castle」を読んでいません: エージェントの状態: 作業中、通知: 通知済み",
    "魔王が結果を報告していません（状態: 待ち）",
  ]);
});

it("the board shows each status in the reader's language", () => {
  expect(formatBoard(stopped.standings, TEXTS.en)[1]).toBe("  overlord    blocked     the moat");
  expect(formatBoard(stopped.standings, TEXTS.ja)[1]).toBe("  overlord    待ち        the moat");
});
