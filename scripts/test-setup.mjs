// Provides what tests need besides packages: a real Zellij, a real nats-server and a real Chromium. Tests get
// their paths from the environment.
import { provideZellij } from "../src/zellij/provide-zellij.ts";
import { provideServer } from "../src/machines/server/nats-server.ts";
import { provideChromium } from "../test/support/browser.ts";
import { listPrograms } from "../test/support/list-programs.ts";

/** Called once for each project in vitest.config.ts. */
export async function setup() {
  if (process.env.OVLD_TEST_ZELLIJ) return;
  const { signal: stop } = new AbortController();
  const zellij = await provideZellij(process.env, { onStep: tellZellij, stop });
  const nats = await provideServer(process.env, { onStep: tellServer, stop });
  tell("Looking for Chromium …");
  const chromium = provideChromium();
  process.env.OVLD_TEST_ZELLIJ = zellij;
  process.env.OVLD_TEST_NATS = nats.program;
  if ("lack" in chromium) process.env.OVLD_TEST_NO_CHROMIUM = chromium.lack;
  else process.env.OVLD_TEST_CHROMIUM = chromium.program;
  console.log(`The tests use:\n${listPrograms(zellij, nats, chromium).join("\n")}`);
}

function tellZellij({ step, done, total }) {
  tell(`Zellij: ${step}${done === undefined ? "" : `, ${done} of ${total ?? "?"} crates`}`);
}

function tellServer({ version, seconds }) {
  tell(`nats-server: building ${version} for ${seconds} s`);
}

let toldAt = -Infinity;

/** What takes long is told again and again; a line now and then is enough. */
function tell(sentence) {
  if (performance.now() - toldAt < 5_000) return;
  toldAt = performance.now();
  console.error(sentence);
}
