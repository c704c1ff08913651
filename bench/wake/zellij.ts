/** Where the tests' fixtures look for Zellij. */
import { zellijCandidates } from "../../src/zellij/version.ts";

export function makeZellijAvailable(): void {
  const [zellij] = zellijCandidates(process.env);
  if (zellij === undefined) throw new Error("There is no Zellij: run npm start first, which provides one.");
  process.env["OVLD_TEST_ZELLIJ"] = zellij;
}
