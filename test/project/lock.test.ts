import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Locked {
  integrity?: string;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const packages: Record<string, Locked> = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;

/** Where Node.js looks for a package: in the folder of the package that asks, then in those above it. */
function findLocked(asker: string, name: string): Locked | undefined {
  const found = packages[`${asker}/node_modules/${name}`.replace(/^\//, "")];
  if (found !== undefined || asker === "") return found;
  return findLocked(asker.slice(0, Math.max(asker.lastIndexOf("/node_modules/"), 0)), name);
}

it("the lock file has the packages of every platform, each with its checksum and from any registry", () => {
  const lacking = Object.entries(packages).flatMap(([asker, locked]) => {
    const { dependencies, optionalDependencies, devDependencies } = locked;
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
    return names.filter((name) => findLocked(asker, name) === undefined).map((name) => `${asker} → ${name}`);
  });
  expect(lacking).toEqual([]);
  const { "": root, ...others } = packages;
  const loose = Object.keys(others).filter((path) => !others[path]?.integrity || others[path]?.resolved);
  expect(loose).toEqual([]);
  expect(root?.devDependencies).toEqual(JSON.parse(readFileSync("package.json", "utf8")).devDependencies);
});
