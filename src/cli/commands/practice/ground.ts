/** The ground of `ovld practice --trees`: a small repository, made for one campaign, with a check for what lands in it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REFUSED } from "../../../agent/practice/play-in-trees.ts";
import type { Settings } from "../../../config/settings.ts";
import { resolveLinks } from "../../../system/paths.ts";
import type { Environment } from "../../../system/run-program.ts";
import { git } from "../../../work/git.ts";

/** A campaign commits for nobody, and with nobody's key and hooks. */
const CONFIGURATION = {
  "user.name": "ovld practice",
  "user.email": "practice@localhost",
  "commit.gpgsign": "false",
  "core.hooksPath": ".git/hooks",
};
const FILES = {
  "check.sh": `! grep -l -e ${REFUSED} -e '<<<<' *.txt\n`,
  "castle.txt": "nobody\n",
};

export async function makeGround(env: Environment, trees: Settings["trees"]) {
  const root = resolveLinks(mkdtempSync(join(tmpdir(), "ovld-practice-")));
  const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  try {
    const project = join(root, "castle");
    mkdirSync(project);
    const place = { folder: project, env };
    await git(place, ["init", "-q", "-b", "main"]);
    for (const [name, value] of Object.entries(CONFIGURATION)) await git(place, ["config", name, value]);
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text);
    await git(place, ["add", "-A"]);
    await git(place, ["commit", "-q", "-m", "An empty castle"]);
    const folder = join(root, "trees");
    return {
      project,
      trees: { ...trees, check: "sh check.sh", checkMinutes: 1, setup: undefined, folder, intoMine: false },
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}
