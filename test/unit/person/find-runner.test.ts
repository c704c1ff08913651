import { expect, it } from "vitest";
import { requirePerson } from "../../../src/person/find-runner.ts";

it.each([{ CLAUDECODE: "1" }, { OVLD_ROLE: "storm" }])("an agent's process (%o) may not answer", (marks) => {
  const env = { HOME: "/nowhere" };
  expect(() => requirePerson({ ...env, ...marks }, "ovld answer")).toThrow("agent-may-not-answer");
  expect(() => requirePerson(env, "ovld answer")).not.toThrow();
});
