import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, type TestContext } from "vitest";
import { identifyProcess } from "../../src/system/process.ts";
import { runOvld } from "../support/ovld.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { giveToNobody } from "../support/unprivileged.ts";

const AT_ONCE_MS = 20_000;
const ATTACKER = 65_533;

/** A user who owns nothing but their home, in a temporary folder that all users share. */
function makeVictim(sandbox: Sandbox, context: TestContext) {
  context.skip(process.getuid?.() !== 0, "only root can play two users");
  const program = join(sandbox.root, "bin/zellij");
  mkdirSync(dirname(program));
  writeFileSync(program, "#!/bin/sh\necho zellij 0.45.1\n", { mode: 0o755 });
  const user = giveToNobody(sandbox.root);
  const shared = join(sandbox.root, "shared");
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  const env = { ...sandbox.env, TMPDIR: shared, PATH: `${dirname(program)}:${sandbox.env["PATH"]}` };
  const ovld = async (...words: string[]) => {
    const circumstances = { env, cwd: sandbox.home, user, withinMs: AT_ONCE_MS };
    const { code, stdout, stderr } = await runOvld(sandbox, words, circumstances);
    return { code, output: `${stdout}${stderr}` };
  };
  return { ovld, sockets: join(shared, `zellij-${user.uid}`) };
}

/** The attacker's folders, in which everyone may do everything. */
function plant(path: string): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o777);
  chownSync(path, ATTACKER, ATTACKER);
}

const SUMMON = ["summon", "--detached", "--agent", "practice", "--no-rituals"];

it("a socket folder that another user created first, with a lock that is never released, is reported and not waited for", async (context) => {
  await using sandbox = makeSandbox();
  const { ovld, sockets } = makeVictim(sandbox, context);
  for (const folder of ["", "ovld-starting", "ovld-starting/lock"]) plant(join(sockets, folder));
  writeFileSync(join(sockets, "ovld-starting/lock", `${identifyProcess(process.pid)}-abcdef`), "");
  const sentence = `${sockets} belongs to another user (uid ${ATTACKER})`;
  for (const words of [SUMMON, ["unsummon", "--session", "overlord", "--force"], ["doctor"]]) {
    const { code, output } = await ovld(...words);
    expect(code, `ovld ${words.join(" ")}: ${output}`).not.toBeNull();
    expect(output, `ovld ${words.join(" ")}`).toContain(sentence);
    expect(output).toContain("Set ZELLIJ_SOCKET_DIR to a folder of your own");
  }
  expect((await ovld("status")).code).toBe(3);
  expect((await ovld(...SUMMON, "--lang", "ja")).output).toContain("別のユーザー");
});

it("another user's lock in one's own socket folder is reported and not waited for", async (context) => {
  await using sandbox = makeSandbox();
  const { ovld, sockets } = makeVictim(sandbox, context);
  mkdirSync(sockets);
  giveToNobody(sockets);
  plant(join(sockets, "ovld-starting"));
  const { code, output } = await ovld(...SUMMON);
  expect(code).toBe(4);
  expect(output).toContain(`${join(sockets, "ovld-starting")} belongs to another user`);
});

it("a link to another user's folder is reported, too", async (context) => {
  await using sandbox = makeSandbox();
  const { ovld, sockets } = makeVictim(sandbox, context);
  plant(join(dirname(sockets), "trap"));
  symlinkSync("trap", sockets);
  expect(await ovld(...SUMMON)).toMatchObject({ code: 4, output: expect.stringContaining("another user") });
});
