/** Opening and ending an army in a real Zellij, next to bare calls of Zellij that do the same. */
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zellijCandidates } from "../../src/config/find-zellij.ts";
import { OVLD } from "../relay-process.ts";
import { makeRow, makeUnmeasuredRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 7;
const SUMMON = { name: "summon, until six panes are there", unit: "ms" };
const UNSUMMON = { name: "unsummon, until the session is gone", unit: "ms" };
const AGENT = "#!/bin/sh\nexec sleep 1000\n";

export async function measureSession(place: Workplace): Promise<Row[]> {
  const [zellij] = zellijCandidates(process.env);
  if (zellij === undefined) return [SUMMON, UNSUMMON].map((cost) => makeUnmeasuredRow(cost, "no Zellij"));
  const run = makeRunner(place.makeFolder(), zellij);
  const times = { summon: new Array<number>(), open: new Array<number>() };
  const ends = { unsummon: new Array<number>(), kill: new Array<number>() };
  for (let round = 0; round < place.samples(SAMPLES); round += 1) {
    times.summon.push(timed(() => run(process.execPath, OVLD, "summon", "--detached", "--no-rituals")));
    const layout = join(run.home, ".config/ovld/relay/layout.kdl");
    writeFileSync(run.layout, run("/bin/cat", layout));
    ends.unsummon.push(timed(() => run(process.execPath, OVLD, "unsummon")));
    times.open.push(timed(() => openBare(run, zellij)));
    ends.kill.push(timed(() => killBare(run, zellij)));
  }
  return [
    makeRow({ ...SUMMON, ours: median(times.summon), floor: median(times.open) }),
    makeRow({ ...UNSUMMON, ours: median(ends.unsummon), floor: median(ends.kill) }),
  ];
}

interface Runner {
  (program: string, ...args: string[]): string;
  home: string;
  layout: string;
}

function makeRunner(folder: string, zellij: string): Runner {
  const agent = join(folder, "claude");
  writeFileSync(agent, AGENT);
  chmodSync(agent, 0o755);
  const path = [folder, join(zellij, ".."), process.env["PATH"]].join(":");
  const env = {
    PATH: path,
    HOME: folder,
    ZELLIJ_SOCKET_DIR: join(folder, "s"),
    TMPDIR: folder,
    LANG: "C.UTF-8",
  };
  const run = (program: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { env, cwd: folder, encoding: "utf8" });
    if (status !== 0 && !stderr.includes("No active zellij sessions")) {
      throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
    }
    return stdout;
  };
  return Object.assign(run, { home: folder, layout: join(folder, "bare.kdl") });
}

function openBare(run: Runner, zellij: string): void {
  run(zellij, "attach", "--create-background", "bare", "options", "--default-layout", run.layout);
  const panes = (): number =>
    run(zellij, "--session", "bare", "action", "list-panes").split("terminal_").length - 1;
  while (panes() < 6);
}

function killBare(run: Runner, zellij: string): void {
  run(zellij, "kill-session", "bare");
  while (run(zellij, "list-sessions", "--no-formatting").includes("bare"));
}

function timed(action: () => void): number {
  const began = performance.now();
  action();
  return performance.now() - began;
}
