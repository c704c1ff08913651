import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findInstallation } from "../../../src/cli/commands/update/run.ts";
import { makeSandbox } from "../../support/sandbox.ts";

it.each([
  ["usr/lib/node_modules/ovld", [], "npm", "npm install --global ovld@latest"],
  [
    "home/.npm/_npx/0a1b2c/node_modules/ovld",
    ["home/.npm/_npx/0a1b2c/package.json"],
    "npx",
    "npx ovld@latest",
  ],
  [
    "home/my app/node_modules/ovld",
    ["home/my app/package.json"],
    "project",
    "cd 'ROOT/home/my app' && npm install ovld@latest",
  ],
  ["brew/Cellar/ovld/0.2.0/libexec/lib/node_modules/ovld", [], "homebrew", "brew upgrade ovld"],
  [
    "home/src/ovld",
    ["home/src/ovld/.git"],
    "clone",
    "cd ROOT/home/src/ovld && git pull && npm ci && npm run build",
  ],
  ["home/unpacked/package", [], "unknown", "npm install --global ovld@latest"],
])(
  "ovld in %s with %o was installed by %s, and is updated in that way",
  async (place, files, by, command) => {
    await using sandbox = makeSandbox();
    const folder = join(sandbox.root, place);
    mkdirSync(join(folder, "bin"), { recursive: true });
    for (const file of files) writeFileSync(join(sandbox.root, file), "");
    expect(findInstallation(join(folder, "bin/ovld.cjs"))).toMatchObject({
      by,
      command: command.replace("ROOT", sandbox.root),
    });
  },
);
