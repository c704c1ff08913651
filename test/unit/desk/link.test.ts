import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { makeDeskKeys } from "../../../src/desk/check-request.ts";
import { offerLink } from "../../../src/desk/offer-link.ts";
import { makeSandbox } from "../../support/sandbox.ts";

it("a link of the desk lives five minutes, whatever the clock is set to", () => {
  let now = 1_000_000;
  const keys = makeDeskKeys(() => now);
  const redeemAfter = (ms: number): string | undefined => {
    const token = keys.makeToken();
    now += ms;
    return keys.redeem(token);
  };
  expect(redeemAfter(299_999)).toMatch(/^[\w-]{32}$/);
  expect(redeemAfter(300_000)).toBeUndefined();
  expect(redeemAfter(-1)).toBeUndefined();
});

it("there is no link that nobody asked for, and a link that was used or replaced is worth nothing", () => {
  const keys = makeDeskKeys(() => 0);
  expect(keys.redeem("")).toBeUndefined();
  const [first, second] = [keys.makeToken(), keys.makeToken()];
  expect(keys.redeem(first)).toBeUndefined();
  expect(keys.redeem(second)).toBeDefined();
  expect(keys.redeem(second)).toBeUndefined();
});

it("the file that leads the browser to the link is gone after half a minute", async () => {
  await using sandbox = makeSandbox();
  vi.useFakeTimers();
  sandbox.defer(() => void vi.useRealTimers());
  const env = { HOME: sandbox.home, DISPLAY: ":9", PATH: join(sandbox.root, "nothing") };
  offerLink({ env, hasTerminal: true }, "http://127.0.0.1/");
  const folder = join(sandbox.home, ".config/ovld/desk");
  const [name = ""] = readdirSync(folder);
  vi.advanceTimersByTime(29_999);
  expect(existsSync(join(folder, name))).toBe(true);
  vi.advanceTimersByTime(1);
  expect(readdirSync(folder)).toEqual([]);
});
