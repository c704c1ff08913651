import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { OVLD } from "../support/ovld.ts";
import { makeSandbox } from "../support/sandbox.ts";

async function ovld(args: string[], env: Record<string, string> = {}) {
  await using sandbox = makeSandbox();
  const run = spawnSync(process.execPath, [OVLD, ...args], {
    env: { ...sandbox.env, ...env },
    input: "",
    encoding: "utf8",
  });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

it("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(await ovld(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

it.each([[["--help"]], [["-h"]], [["relay", "--help"]]])("%o shows help on stdout", async (args) => {
  const { code, stdout, stderr } = await ovld(args);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Usage\n {2}ovld/);
  expect(stdout).toContain("relay");
});

it("help is in Japanese for those who read it", async () => {
  const { stdout } = await ovld(["--help"], { LANG: "ja_JP.UTF-8" });
  expect(stdout).toMatch(/^使い方/);
  expect(stdout).not.toMatch(/\b(Usage|Flags|Commands|Show)\b/);
});

it.each([
  [["rely"], 'There is no command "rely". Did you mean `relay`?'],
  [["dance"], 'There is no command "dance". Run ovld --help to see what there is.'],
  [["--hepl"], 'There is no flag "--hepl". Did you mean --help?'],
  [["relay", "--hlp"], 'There is no flag "--hlp". Did you mean --help?'],
  [["relay", "-x"], 'There is no flag "-x". Run ovld --help to see what there is.'],
  [["relay", "now"], '"now" is one argument too many. Run ovld --help to see what there is.'],
  [["\u001b[2J"], 'There is no command "\u{FFFD}[2J". Run ovld --help to see what there is.'],
])("%o is refused with a suggestion, exit 2", async (args, sentence) => {
  expect(await ovld(args)).toEqual({ code: 2, stdout: "", stderr: `${sentence}\n` });
});

it("refusals are in Japanese for those who read it", async () => {
  const { code, stderr } = await ovld(["rely"], { LANG: "ja_JP.UTF-8" });
  expect(code).toBe(2);
  expect(stderr).toBe("コマンド「rely」はありません。 もしかして: `relay`\n");
});

it("a reader that leaves early, as in `| head -1`, is no error", () => {
  const command = `"${process.execPath}" "${OVLD}" --help | true; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", command], { encoding: "utf8" });
  expect([stdout, stderr]).toEqual(["0\n", ""]);
});
