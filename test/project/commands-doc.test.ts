import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it("docs/commands.md tells of every command as the command tree has it", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/commands-doc.mjs", "--check"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
