/** Refuses to run below an agent of any army what only the person may do: to answer what agents ask. */
import type { Environment } from "../system/run-program.ts";
import { OvldError } from "../system/ovld-error.ts";
import { findRunner } from "./surroundings.ts";

export function requirePerson(env: Environment, command: string): void {
  if (findRunner(env).isAgent) throw new OvldError({ code: "agent-may-not-answer", facts: { command } });
}
