import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { commit, gitAs, write } from "../support/work.ts";
import { OVLD } from "../support/ovld.ts";
import { runCommand } from "../support/run-command.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld } from "../support/zellij.ts";

it("with --trees each agent but the overlord works in a tree of its own, what it hands in lands by itself, and unsummon keeps only trees with work", async () => {
  await using world = makeZellijWorld();
  const { project } = world;
  gitAs(project, "init", "-q", "-b", "main");
  write(project, { ".gitignore": ".env\nset-up\n", ".worktreeinclude": ".env\n", ".env": "SECRET=1\n" });
  commit(project, { "a.txt": "one\n" });
  write(join(world.sandbox.home, ".config/ovld"), {
    "config.toml": '[trees]\ncheck = "grep -q two a.txt"\nsetup = "touch set-up"\n',
  });
  const summoned = await world.ovld("summon", "--trees", "--detached", "--no-rituals");
  expect(summoned).toMatchObject({ code: 0, stderr: "" });
  const recordings = await world.recordings();
  const trees = new Map(ROLES.map((role) => [role, recordings.get(role)?.cwd ?? ""]));
  expect(trees.get("overlord")).toBe(project);
  expect(new Set(trees.values()).size).toBe(6);
  const inferno = trees.get("inferno") ?? "";
  expect(inferno.startsWith(project)).toBe(false);
  expect(readFileSync(join(inferno, ".env"), "utf8")).toBe("SECRET=1\n");
  expect(existsSync(join(inferno, "set-up"))).toBe(true);

  const subjectsOf = (role: string): string[] => {
    const inbox = join(world.relayDir(), "inbox", role);
    return readdirSync(inbox).map((name) => JSON.parse(readFileSync(join(inbox, name), "utf8")).subject);
  };
  const as = (role: string, ...args: string[]) =>
    runCommand(world.sandbox, [process.execPath, OVLD, ...args], {
      env: { ...world.env, OVLD_ROLE: role },
      cwd: world.project,
    });
  expect(await as("strategist", "task", "add", "Write two", "In a.txt", "--to", "inferno")).toMatchObject({
    code: 0,
    stdout: "T1\n",
  });
  expect(subjectsOf("inferno")).toEqual(["T1: Write two"]);
  expect(await as("storm", "task", "take", "T1")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("T1 is for inferno"),
  });
  expect(await as("inferno", "task", "take", "T1")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("grep -q two a.txt"),
  });
  expect(await as("inferno", "task", "done")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("ovld task drop T1"),
  });
  expect((await world.ovld("status")).stdout).toMatch(/^T1 +taken \S+ +inferno +Write two$/m);
  write(inferno, { "a.txt": "two\n" });
  expect(await as("inferno", "task", "done")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("git add -A && git commit"),
  });
  commit(inferno, { "a.txt": "two\n" });
  const mail = openMail(world.relayDir());
  const order = { id: "m1", from: "strategist", subject: "T1", at: new Date().toISOString() } as const;
  mail.recordOrders("inferno", [{ kind: "mail", ...order }]);
  expect(await as("inferno", "task", "done")).toMatchObject({ code: 0 });
  // To hand it in is the answer to the mail about it.
  expect(mail.orders("inferno")).toMatchObject([{ id: "m1", answered: true, done: true }]);
  await waitUntil(
    "T1 landed",
    async () =>
      JSON.parse((await world.ovld("task", "list", "--all", "--json")).stdout).tasks[0].state === "landed",
  );
  expect(gitAs(project, "show", "ovld/overlord:a.txt")).toBe("two");
  expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("one\n");
  await waitUntil("mail to the strategist", () =>
    subjectsOf("strategist").includes("T1 landed: nothing is left"),
  );

  expect(await world.ovld("land")).toMatchObject({ code: 0 });
  expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("two\n");
  const glacier = trees.get("glacier") ?? "";
  expect((await world.ovld("status")).stdout).toContain(`Trees in ${dirname(glacier)}: strategist, inferno`);
  write(glacier, { "draft.txt": "not finished\n" });
  const storm = trees.get("storm") ?? "";
  for (const files of [{ "b.txt": "b\n" }, { "a.txt": "three\n" }] as const) {
    const { stdout } = await as("strategist", "task", "add", "More");
    await as("storm", "task", "take", stdout.trim());
    commit(storm, files);
    await as("storm", "task", "done");
    await waitUntil(
      "a verdict",
      async () => !/ready|checked/.test((await world.ovld("task", "--all")).stdout),
    );
  }
  const ended = await world.ovld("unsummon", "--yes");
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(glacier) });
  expect(ended.stdout).toContain("T3 returned (storm)");
  const command = "git merge --ff-only --no-overwrite-ignore ovld/overlord";
  expect(ended.stdout).toContain(
    `ovld/overlord has 2 commits that main lacks. Bring them in with: ${command}`,
  );
  expect(await world.ovld("land")).toMatchObject({ code: 3, stderr: expect.stringContaining(command) });
  gitAs(project, ...command.split(" ").slice(1));
  expect(readFileSync(join(project, "b.txt"), "utf8")).toBe("b\n");
  expect(
    [...trees].filter(([role, path]) => role !== "overlord" && existsSync(path)).map(([role]) => role),
  ).toEqual(["glacier", "storm"]);
  expect(gitAs(project, "branch", "--list", "ovld-overlord/*")).toContain("ovld-overlord/T3");
  const { armies } = JSON.parse((await world.ovld("armies", "--json")).stdout);
  expect((await world.ovld("armies")).stdout).toContain(`${project} (2 trees)`);
  expect(armies[0].trees).toEqual([
    { role: "glacier", path: glacier },
    { role: "storm", path: storm },
  ]);

  expect(await world.ovld("summon", "--resume", "--detached", "--no-rituals")).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(readFileSync(join(glacier, "draft.txt"), "utf8")).toBe("not finished\n");
  expect((await world.ovld("task", "--all")).stdout).toContain("Write two");
});

it("what keeps an army from having trees is said before anything is created, and without them that there is a better way", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("summon", "--trees", "--detached")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("git init"),
  });
  gitAs(world.project, "init", "-q", "-b", "main");
  expect(await world.ovld("summon", "--trees", "--detached")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("git commit"),
  });
  commit(world.project, { "a.txt": "a\n" });
  gitAs(world.project, "branch", "ovld");
  expect(await world.ovld("summon", "--trees", "--detached")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("git branch -m ovld"),
  });
  expect(existsSync(world.relayDir())).toBe(false);
  gitAs(world.project, "branch", "-D", "ovld");
  const without = await world.ovld("summon", "--detached", "--no-rituals");
  expect(without).toMatchObject({ code: 0, stdout: expect.stringContaining("ovld summon --trees") });
});

it("a person in the middle of a rebase can still join an army with trees", async () => {
  await using world = makeZellijWorld();
  const { project } = world;
  gitAs(project, "init", "-q", "-b", "main");
  commit(project, { "a.txt": "a\n" });
  write(join(world.sandbox.home, ".config/ovld"), { "config.toml": "[trees]\non = true\n" });
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0 });
  gitAs(project, "checkout", "-q", "--detach");
  const joined = await world.ovld("summon", "--detached", "--no-rituals");
  expect(joined.stderr).not.toContain("on no branch");
});

it("an army whose repository is gone is ended all the same, and says what could not be done", async () => {
  await using world = makeZellijWorld();
  gitAs(world.project, "init", "-q", "-b", "main");
  commit(world.project, { "a.txt": "a\n" });
  expect(await world.ovld("summon", "--trees", "--detached", "--no-rituals")).toMatchObject({ code: 0 });
  renameSync(join(world.project, ".git"), join(world.sandbox.root, "moved"));
  const ended = await world.ovld("unsummon", "--yes");
  expect(ended.stdout).toContain("not a git repository");
  expect(existsSync(world.relayDir())).toBe(false);
});
