import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { notifyPerson } from "../../../src/requests/notify-person.ts";
import { pretendToBe } from "../../support/pretend-to-be.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

it("on macOS the texts are arguments of a fixed script", async () => {
  await using sandbox = makeSandbox();
  const bin = join(sandbox.root, "bin-of-desktop");
  const got = join(sandbox.root, "got");
  mkdirSync(bin);
  const script = `#!/bin/sh\nfor each in "$@"; do printf '%s\\n' "$each"; done > '${got}.new'; mv '${got}.new' '${got}'\n`;
  writeFileSync(join(bin, "osascript"), script, { mode: 0o700 });
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  pretendToBe("darwin");
  notifyPerson({ title: "storm asks", body: 'a" & do shell script "id' }, env);
  await expect.poll(() => existsSync(got), soon).toBe(true);
  expect(readFileSync(got, "utf8").split("\n").slice(-4, -1)).toEqual([
    "end run",
    "storm asks",
    'a" & do shell script "id',
  ]);
});

it("without a program for notifications nothing happens", () => {
  const notification = { title: "t", body: "b" };
  expect(() => notifyPerson(notification, { PATH: "/nowhere", DISPLAY: ":0" })).not.toThrow();
  pretendToBe("darwin");
  expect(() => notifyPerson(notification, {})).not.toThrow();
});
