// Provides what tests need besides packages: a real Zellij, a real nats-server and a real Chromium. Tests get
// their paths from the environment.
import { provideServer } from "../src/machines/server/provide-server.ts";
import { provideChromium } from "../test/support/browser.ts";
import { listPrograms } from "../test/support/list-programs.ts";
import { provideZellij, tell } from "./provide-zellij.mjs";

/** Called once for each project in vitest.config.ts. */
export async function setup() {
  if (process.env.OVLD_TEST_ZELLIJ) return;
  const zellij = await provideZellij(tell);
  const nats = await provideServer(process.env, { onStep: tellStep, stop: new AbortController().signal });
  tell("Looking for Chromium …", { passing: true });
  const chromium = provideChromium();
  process.env.OVLD_TEST_ZELLIJ = zellij;
  process.env.OVLD_TEST_NATS = nats.program;
  if ("lack" in chromium) process.env.OVLD_TEST_NO_CHROMIUM = chromium.lack;
  else process.env.OVLD_TEST_CHROMIUM = chromium.program;
  console.log(`The tests use:\n${listPrograms(zellij, nats, chromium).join("\n")}`);
}

function tellStep(step) {
  if (step.step === "not-downloaded") tell(`nats-server was not downloaded: ${step.reason}`);
  else tell(`${step.step} nats-server ${step.version} (${step.seconds} s)`, { passing: true });
}
