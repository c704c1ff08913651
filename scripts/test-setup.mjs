// Provides what tests need besides packages: a real Zellij. Tests get its path from the environment.
import { listPrograms } from "../test/support/list-programs.ts";
import { provideZellij, tell } from "./provide-zellij.mjs";

/** Called once for each of the two projects in vitest.config.ts. */
export async function setup() {
  if (process.env.OVLD_TEST_ZELLIJ) return;
  const zellij = await provideZellij(tell);
  process.env.OVLD_TEST_ZELLIJ = zellij;
  console.log(`The tests use:\n${listPrograms(zellij).join("\n")}`);
}
