import { expect, it } from "vitest";
import { TEXTS } from "../../support/texts.ts";

it("a Japanese offer to allow more says whose setting it becomes, not that the person is allowed something", () => {
  const texts = TEXTS.ja.answer.suggestions;
  const offers = (["session", "local", "project", "user"] as const).flatMap((where) => [
    texts.rules("allow", "Bash(x)", where),
    texts.folders("/tmp", where),
    texts.mode("plan", where),
  ]);
  expect(offers.filter((offer) => /あなたに|全員に/.test(offer))).toEqual([]);
  expect(offers[3]).toBe("このプロジェクトでは自分の設定として Bash(x) を許可する");
});

it("how long the hub has been unreachable is said as a span of time", () => {
  expect(TEXTS.en.status.hubDown("5m", "no answer")).toBe("The hub has been unreachable for 5m: no answer");
  expect(TEXTS.ja.status.hubDown("5分", "応答なし")).toBe("5分前からハブに接続できません: 応答なし");
});
