import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { offerLink } from "../../../src/desk/offer-link.ts";
import { resolveLinks } from "../../../src/system/paths.ts";
import { currentFolder, processTable } from "../../../src/system/platform.ts";
import { roomForSessionName } from "../../../src/zellij/socket.ts";
import { pretendToBe } from "../../support/pretend-to-be.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

const PS_ON_MAC: Record<string, string> = {
  "-o stat= -o ppid= -o lstart= -p 7": "Ss       1 Mon Nov 16 03:48:14 2026    \n",
  "-o stat= -o ppid= -o lstart= -p 8": "Z        1 Mon Nov 16 03:48:14 2026    \n",
  "-ww -o args= -p 7": "/usr/local/bin/node /my army/ovld relay\n",
  "-E -ww -o args= -p 7":
    "/usr/local/bin/node /my army/ovld relay HOME=/Users/me OVLD_ROLE=storm X=two words\n",
  "-ww -o args= -p 9": "/sbin/launchd\n",
  "-E -ww -o args= -p 9": "/sbin/launchd\n",
};

it("on macOS ps says what a process is, and shows the variables of the person's own programs only", () => {
  pretendToBe("darwin");
  const spawn = vi.spyOn(process.getBuiltinModule("node:child_process"), "spawnSync");
  onTestFinished(() => spawn.mockRestore());
  spawn.mockImplementation((program, args) => {
    const stdout = (program === "ps" && PS_ON_MAC[args?.join(" ") ?? ""]) || "";
    return { pid: 0, output: [], stdout, stderr: "", status: stdout === "" ? 1 : 0, signal: null };
  });
  const table = processTable();
  expect(table.look(7)).toEqual({ state: "S", parent: 1, start: "Mon.Nov.16.03.48.14.2026" });
  expect([table.look(8), table.look(10)]).toEqual([undefined, undefined]);
  expect(table.words(7)).toEqual(["/usr/local/bin/node", "/my", "army/ovld", "relay"]);
  expect(table.variables(7)).toEqual(["HOME=/Users/me", "OVLD_ROLE=storm", "X=two words"]);
  expect([9, 10].flatMap((pid) => table.variables(pid)).join("")).toBe("");
});

it("on macOS open shows the person a file that leads to the link, and not over SSH", async () => {
  pretendToBe("darwin");
  await using sandbox = makeSandbox();
  const got = join(sandbox.root, "got");
  const script = `#!/bin/sh\nprintf %s "$*" > '${got}.new'; mv '${got}.new' '${got}'\n`;
  writeFileSync(join(sandbox.root, "open"), script, { mode: 0o700 });
  const env = { HOME: sandbox.home, PATH: `${sandbox.root}:${process.env["PATH"]}` };
  const offer = (more: object) =>
    offerLink({ env: { ...env, ...more }, hasTerminal: true }, "http://x/secret");
  expect(offer({ SSH_CONNECTION: "1" })).toBeUndefined();
  const withdraw = offer({});
  sandbox.defer(() => withdraw?.());
  expect(withdraw).toBeDefined();
  await expect.poll(() => existsSync(got), soon).toBe(true);
  expect(readFileSync(got, "utf8")).toMatch(/^file:\/\/\S+\.html$/);
});

it("a session's name may be four bytes shorter on macOS, and fits into its temporary folder", () => {
  const socketDir = `/var/folders/zz/${"z".repeat(30)}/T`;
  const room = () => roomForSessionName({ env: { TMPDIR: socketDir }, program: "zellij" });
  const onLinux = room();
  pretendToBe("darwin");
  expect(room()).toBe(onLinux - 4);
  expect(room()).toBeGreaterThan("overlord".length);
});

it("on a disk that ignores case, and behind a link such as /tmp, every spelling of a folder is one folder", async () => {
  await using sandbox = makeSandbox();
  const [folder, link] = [join(realpathSync(sandbox.root), "project"), join(sandbox.root, "tmp")];
  mkdirSync(folder);
  symlinkSync(folder, link);
  const onDisk = realpathSync.native;
  vi.spyOn(realpathSync, "native").mockImplementation((path) =>
    onDisk(String(path).replace(/PROJECT/i, "project")),
  );
  const cwd = vi.spyOn(process, "cwd");
  onTestFinished(() => void vi.restoreAllMocks());
  for (const spelling of [folder, join(sandbox.root, "PROJECT"), join(sandbox.root, "Project"), link]) {
    cwd.mockReturnValue(spelling);
    expect(currentFolder()).toBe(folder);
    expect(resolveLinks(join(spelling, "not/yet"))).toBe(join(folder, "not/yet"));
  }
  renameSync(folder, `${folder}-gone`);
  expect(currentFolder).toThrow(/ENOENT/);
});
