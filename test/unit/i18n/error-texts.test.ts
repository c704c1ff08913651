import { expect, it } from "vitest";
import { describeError } from "../../../src/i18n/error-texts.ts";
import type { ErrorReport } from "../../../src/system/ovld-error.ts";

const everyReport: { [Code in ErrorReport["code"]]: Extract<ErrorReport, { code: Code }>["facts"] } = {
  "env-missing": { variable: "OVLD_ROLE" },
  "env-wrong": { variable: "OVLD_ROLE", value: "\u001b[31mking", expected: "a role" },
  "store-gone": { path: "/r" },
  "store-newer": { path: "/r", found: 2, known: 1 },
  "store-foreign": { path: "/r" },
  "disk-full": { path: "/r" },
  "file-size-limit": { path: "/r" },
  "not-writable": { path: "/r" },
  "file-trouble": { path: "/r", reason: "EIO" },
  "too-long": { field: "body", limit: 1, unit: "bytes", length: 2 },
  "inbox-full": { role: "storm", limit: 1000 },
  "to-oneself": { role: "storm" },
  "wrong-arguments": { tool: "send_message", problems: ["to is missing"] },
};

it.each(Object.entries(everyReport))("%s is told in both languages, with its facts", (code, facts) => {
  const report = { code, facts } as ErrorReport;
  const [english, japanese] = [describeError(report, "en"), describeError(report, "ja")];
  expect(japanese).toMatch(/[ぁ-ん]/);
  expect(english).not.toMatch(/[ぁ-ん]/);
  for (const sentence of [english, japanese]) {
    expect(sentence).not.toMatch(/undefined|\[object|\p{Cc}/u);
    for (const [name, fact] of Object.entries(facts)) {
      if (!["expected", "unit", "value"].includes(name) && code !== "file-trouble")
        expect(sentence).toContain(String(fact));
    }
  }
});
