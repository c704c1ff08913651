import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hubFiles } from "../../src/machines/server/hub-files.ts";
import { readKeeping } from "../../src/machines/server/keeper-report.ts";
import { stopHub } from "../../src/machines/server/stop-hub.ts";
import { isProcessAlive } from "../../src/system/process.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { startStandIn } from "../support/stand-in.ts";

it("a forged report of a hub's keeper does not make ovld hub stop end a process that is none", async () => {
  await using sandbox = makeSandbox();
  const files = hubFiles(sandbox.root);
  const forge = (keeper: string): void => {
    const at = "2026-11-15T00:00:00.000Z";
    const report = { keeper, since: at, program: "nats-server", version: "2", server: null };
    const rest = { restarts: 0, lastRestart: null, stored: null, isWell: true };
    writeFileSync(files.keeper, JSON.stringify({ ...report, ...rest }));
  };
  const [foreign, keeper] = [startStandIn(sandbox), startStandIn(sandbox, ["hub", "keep"])];
  forge(foreign);
  expect(await stopHub(files)).toBe(false);
  expect(isProcessAlive(foreign)).toBe(true);
  forge(keeper);
  expect(readKeeping(files)).toMatchObject({ keeper });
  expect(await stopHub(files)).toBe(true);
  expect(isProcessAlive(keeper)).toBe(false);
});
