import { expect, it } from "vitest";
import { hasWords, inspectProcess } from "../../../src/system/process-table.ts";
import { identifyProcess } from "../../../src/system/process.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { startStandIn } from "../../support/stand-in.ts";

it("a process's arguments and environment are found", async () => {
  await using sandbox = makeSandbox();
  const identity = startStandIn(sandbox, ["two words", "relay"], {
    OVLD_ROLE: "storm",
    EMPTY: "",
    EQUAL: "a=b",
  });
  const facts = inspectProcess(identity);
  expect(hasWords(facts?.words ?? [], ["two words", "relay"])).toBe(true);
  expect(hasWords(facts?.words ?? [], ["relay", "two words"])).toBe(false);
  expect(facts?.env).toMatchObject({ OVLD_ROLE: "storm", EMPTY: "", EQUAL: "a=b" });
});

it("with ps its arguments are found as well, even those with spaces", () => {
  const { pid } = process;
  const facts = inspectProcess(identifyProcess(pid, "darwin") ?? "", "darwin");
  expect(facts?.words[0]).toMatch(/node/);
  expect(
    hasWords(["claude", "--mcp-config", "/my", "army/x.json"], ["--mcp-config", "/my army/x.json"], "darwin"),
  ).toBe(true);
});

it("nothing is found for a process that has ended, or that started at another time", () => {
  expect(inspectProcess(`${process.pid}-1.00000000`)).toBeUndefined();
  expect(inspectProcess("4194304-1.00000000")).toBeUndefined();
  expect(inspectProcess("no process")).toBeUndefined();
});
