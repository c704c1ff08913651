import { onTestFinished } from "vitest";

/** Until the test is over, ovld takes this machine for one with that system. */
export function pretendToBe(platform: NodeJS.Platform): void {
  const real = process.platform;
  onTestFinished(() => setPlatform(real));
  setPlatform(platform);
}

function setPlatform(value: NodeJS.Platform): void {
  Object.defineProperty(process, "platform", { value });
}
