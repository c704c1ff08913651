import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findProgram } from "../../src/system/run-program.ts";
import { sumOf } from "../support/release-page.ts";
import { makeSandbox } from "../support/sandbox.ts";

const VERSION = "1.7.12";
const go = findProgram("go", process.env["PATH"]);

/** Built by Go in the user's cache folder, once per machine. */
function actionlint(): string {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "ovld", "actionlint");
  const folder = join(cache, VERSION);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const aside = mkdtempSync(`${folder}-`);
    try {
      const args = ["install", `github.com/rhysd/actionlint/cmd/actionlint@v${VERSION}`];
      const { status, stderr } = spawnSync(go ?? "go", args, {
        env: { ...process.env, GOBIN: aside },
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`actionlint could not be built: ${stderr}`);
      renameSync(aside, folder);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  }
  return join(folder, "actionlint");
}

function lint(...files: string[]) {
  const { status, stdout } = spawnSync(actionlint(), ["-no-color", ...files], { encoding: "utf8" });
  return { status, stdout };
}

it("actionlint has nothing to object to in the workflows", (test) => {
  if (go === undefined) return test.skip("there is no Go, which builds actionlint");
  expect(lint()).toEqual({ status: 0, stdout: "" });
});

it("actionlint sees a context that is not there", async (test) => {
  if (go === undefined) return test.skip("there is no Go, which builds actionlint");
  await using sandbox = makeSandbox();
  const file = join(sandbox.root, "broken.yml");
  writeFileSync(
    file,
    readFileSync(".github/workflows/ci.yml", "utf8").replace(
      "TMPDIR: ${{ startsWith(matrix.os",
      "TMPDIR: ${{ (runner.os",
    ),
  );
  expect(lint(file).status).toBe(1);
});

it("the workflows run the versions of Node.js that ovld supports", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  expect([engines.node, readFileSync(".github/workflows/ci.yml", "utf8")]).toEqual([
    ">=20.19",
    expect.stringContaining("node: [20, 22, 24]"),
  ]);
});

it("the formula for Homebrew names the archive of this version and its checksum", async () => {
  await using sandbox = makeSandbox();
  const archive = join(sandbox.root, "ovld-1.2.3.tgz");
  writeFileSync(archive, "packed");
  const args = ["scripts/homebrew-formula.mjs", archive];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(stdout).toContain(`/releases/download/v${version}/ovld-1.2.3.tgz"\n  sha256 "${sumOf("packed")}"\n`);
});
