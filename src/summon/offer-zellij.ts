/** Where there is no Zellij that is new enough: offers to provide one, and shows how that proceeds. */
import { confirm, type CommandContext } from "../command/command-context.ts";
import { steer } from "../terminal/print.ts";
import { isTerminal, terminalColumns } from "../terminal/terminal.ts";
import { cutToWidth } from "../terminal/text-width.ts";
import type { ProvideStep } from "../zellij/provide-zellij.ts";
import { zellijCache, zellijProblem } from "../zellij/version.ts";
import { armyOf, type Army } from "./army.ts";

/** Like `armyOf`; if the person wants none to be provided, Zellij is still missing. */
export async function armyWithZellij(
  context: CommandContext,
  asked: string | undefined,
  { yes, json }: { yes: boolean; json: boolean },
): Promise<Army> {
  const { env, texts, stop, hasTerminal } = context;
  const army = await armyOf(context, asked);
  const { version, settings, zellij } = army;
  if (version !== "missing" && version.fits) return army;
  // The person's own choice is theirs to mend, and so is a TMPDIR that keeps Zellij from starting.
  if (settings.zellij !== undefined || zellijProblem(zellij).code !== "zellij-missing") return army;
  if (!yes && (!hasTerminal || json)) return army;
  const { PROVIDED_VERSION, provideZellij } = context.loadProvider();
  const question = texts.zellij.offer(PROVIDED_VERSION, zellijCache(env));
  if (!yes && !(await confirm(context, question))) return army;
  const shown = json ? undefined : showSteps(context, PROVIDED_VERSION);
  try {
    await provideZellij(env, { stop, onStep: (step) => shown?.show(step) });
  } finally {
    shown?.end();
  }
  return armyOf(context, asked);
}

/** On a terminal progress is redrawn in place; elsewhere it is a line now and then. */
function showSteps({ texts, print }: CommandContext, version: string) {
  const redraws = isTerminal(2);
  const clear = redraws ? `${steer("G")}${steer("K")}` : "";
  const everyMs = redraws ? 100 : 15_000;
  let last: { step: ProvideStep["step"]; at: number } | undefined;
  let isPassing = false;
  return {
    show(step: ProvideStep): void {
      const at = performance.now();
      if (last?.step === step.step && at - last.at < everyMs) return;
      last = { step: step.step, at };
      isPassing = redraws && "total" in step;
      const line = formatStep(step, texts.zellij, version).trimEnd();
      // A passing line must not wrap, or it could not be redrawn.
      print("stderr", isPassing ? `${clear}${cutToWidth(line, terminalColumns() - 1)}` : `${clear}${line}\n`);
    },
    end: () => void (isPassing && print("stderr", clear)),
  };
}

function formatStep(step: ProvideStep, texts: CommandContext["texts"]["zellij"], version: string): string {
  switch (step.step) {
    case "waiting":
      return texts.waiting(step.pid);
    case "downloading": {
      const total = step.total ? formatMegabytes(step.total) : undefined;
      const progress = step.bytes === 0 ? "" : texts.megabytes(formatMegabytes(step.bytes), total);
      return texts.downloading(version, `${bar(step.bytes, step.total)}${progress}`);
    }
    case "downloaded":
      return texts.downloaded(version);
    case "not-downloaded":
      return texts.notDownloaded(step.why, step.said);
    case "building":
      return texts.building(version, `${bar(step.done, step.total)}${texts.crates(step.done, step.total)}`);
    case "built":
      return texts.built(version);
  }
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

const BAR_WIDTH = 20;

function bar(done: number, total: number | undefined): string {
  if (!total) return "";
  const filled = Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * done) / total));
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} `;
}
