import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { systemProgram } from "../support/bare-machine.ts";
import { openReleasePage, packRelease, pinRelease } from "../support/release-page.ts";
import { runCommand, type CommandRun } from "../support/run-command.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { openTerminal } from "../support/terminal.ts";

const CTRL_Q = "\u0011";
const SLOW = 120_000;

describe("npm start on a fresh clone, with a HOME of its own", () => {
  const sandbox = makeSandbox();
  afterAll(() => sandbox[Symbol.asyncDispose]());
  const clone = join(sandbox.root, "clone");
  const binFolder = (name: string): string => join(sandbox.root, name);
  const [zellijBin, fetchingBin] = [binFolder("z"), binFolder("f")];
  // Where packages come from depends on the machine, not on the home folder.
  const npm = Object.entries(process.env).filter(([name]) => name.startsWith("npm_config_"));
  const env = {
    ...Object.fromEntries(npm.map(([name, value]) => [name, value ?? ""])),
    ...sandbox.env,
    ZELLIJ_SOCKET_DIR: join(sandbox.root, "s"),
    TERM: "xterm-256color",
    PATH: `${zellijBin}:${sandbox.env["PATH"]}`,
  };

  beforeAll(() => {
    const built = ["node_modules", "dist", ".git"].map((name) => join(process.cwd(), name));
    cpSync(process.cwd(), clone, { recursive: true, filter: (path) => !built.includes(path) });
    for (const folder of [zellijBin, fetchingBin, env.ZELLIJ_SOCKET_DIR]) mkdirSync(folder);
    symlinkSync(process.env["OVLD_TEST_ZELLIJ"] ?? "zellij", join(zellijBin, "zellij"));
    for (const tool of ["sh", "env", "curl"]) symlinkSync(systemProgram(tool), join(fetchingBin, tool));
    symlinkSync(process.execPath, join(fetchingBin, "node"));
  });

  const start = (changes: Record<string, string>, ...args: string[]): Promise<CommandRun> =>
    runCommand(sandbox, [process.execPath, "scripts/start.mjs", ...args], {
      cwd: clone,
      env: { ...env, ...changes },
    });

  it(
    "installs, builds, finds Zellij and runs the campaign for the given wish, and shows its progress",
    async () => {
      const { code, stdout, stderr } = await start({}, "A castle");
      expect([code, stderr]).toEqual([0, expect.stringMatching(/1\/3.*2\/3.*3\/3/s)]);
      expect(stdout).toContain("human → overlord: A castle");
      expect(stdout).toContain("The wish is fulfilled");
      expect(existsSync(join(clone, "dist/cli.cjs"))).toBe(true);
    },
    SLOW,
  );

  it(
    "on a terminal opens the session for the person to watch",
    async () => {
      const terminal = openTerminal(sandbox, env, clone, [process.execPath, "scripts/start.mjs"]);
      const armies = join(sandbox.home, ".config/ovld/relays");
      const overlord = (): string | undefined => {
        const [session] = existsSync(armies) ? readdirSync(armies).filter((name) => !name.includes(".")) : [];
        const mail = session === undefined ? undefined : openMail(join(armies, session));
        return mail?.exists()
          ? `${mail.status("overlord").status}, unread ${mail.countUnread("overlord")}`
          : undefined;
      };
      await expect.poll(overlord, { timeout: SLOW / 2 }).toBe("done, unread 0");
      terminal.pty.write(CTRL_Q);
      expect(await terminal.exited).toBe(0);
      expect(terminal.output()).toContain("The wish is fulfilled");
    },
    SLOW,
  );

  it(
    "speaks only Japanese if the environment is Japanese, including the army",
    async () => {
      const { code, stdout, stderr } = await start({ LANG: "ja_JP.UTF-8" });
      expect([code, stderr]).toEqual([0, expect.stringMatching(/1\/3 ビルドに必要な.*3\/3 演習/s)]);
      expect(stdout).toMatch(/strategist → storm: .*[ぁ-んァ-ヶ一-龠]/);
      expect(stdout).toContain("願い");
    },
    SLOW,
  );

  it(
    "without Zellij downloads the released one, and the campaign runs in it",
    async () => {
      const zellij = readFileSync(process.env["OVLD_TEST_ZELLIJ"] ?? "");
      const archive = packRelease(sandbox, zellij);
      pinRelease(join(clone, "src/zellij/provide-zellij.ts"), archive);
      const page = await openReleasePage(sandbox, { ".tar.gz": archive });
      const { code, stdout, stderr } = await start({
        PATH: fetchingBin,
        XDG_CACHE_HOME: join(sandbox.root, "cache"),
        OVLD_ZELLIJ_RELEASES: page.url,
      });
      expect([code, stderr]).toEqual([0, expect.stringMatching(/3\/3.*\nDownloaded Zellij/s)]);
      expect(stdout).toContain("The wish is fulfilled");
    },
    SLOW,
  );
});
