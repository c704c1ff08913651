/** `ovld update`: says how this installation is updated, from where the program lies. It changes nothing. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sayAnswer, type CommandContext } from "../../../command/command-context.ts";
import { shellWord } from "../../../system/text.ts";
import { VERSION } from "../../../system/version.ts";

export async function update(context: CommandContext, _flags: object): Promise<number> {
  const { doctor: texts } = context.texts;
  const installation = findInstallation(context.ovld.file);
  const { by, folder, command } = installation;
  const lines = [`ovld ${VERSION}`, texts.installed[by](folder), texts.toUpdate, `  ${command}`];
  return sayAnswer(context, { version: VERSION, ...installation }, lines);
}

interface Installation {
  by: "npm" | "project" | "npx" | "homebrew" | "clone" | "unknown";
  /** Where the package is; of a project, the project. */
  folder: string;
  command: string;
}

const GLOBALLY = "npm install --global ovld@latest";

/** `program` is the started file of ovld, `bin/ovld.cjs` in its package, with all links resolved. */
export function findInstallation(program: string): Installation {
  const folder = dirname(dirname(program));
  const quoted = shellWord(folder);
  if (existsSync(join(folder, ".git"))) {
    const command = `cd ${quoted} && git pull && npm ci && npm run build`;
    return { by: "clone", folder, command };
  }
  if (folder.includes("/Cellar/")) return { by: "homebrew", folder, command: "brew upgrade ovld" };
  if (basename(dirname(folder)) !== "node_modules") return { by: "unknown", folder, command: GLOBALLY };
  if (/\/_npx\/[^/]+\/node_modules\/[^/]+$/.test(folder))
    return { by: "npx", folder, command: "npx ovld@latest" };
  const project = dirname(dirname(folder));
  // npm's folder for all projects has no such file.
  if (!existsSync(join(project, "package.json"))) return { by: "npm", folder, command: GLOBALLY };
  const command = `cd ${shellWord(project)} && npm install ovld@latest`;
  return { by: "project", folder: project, command };
}
