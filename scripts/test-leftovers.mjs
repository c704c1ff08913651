// What a test run left behind: folders, and processes with its mark, which include the server of a session.
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

const PATIENCE = 50;

/** Gives processes that the last test told to end a moment to do so. */
export async function findLeftovers(run) {
  for (let attempt = 0; attempt < PATIENCE && leftovers(run).length > 0; attempt += 1) await pause(100);
  return leftovers(run);
}

function leftovers(run) {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`ovld-${run}-`));
  return [...folders, ...markedProcesses(`OVLD_TEST_RUN=${run}`)];
}

function markedProcesses(mark) {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const marked = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(mark);
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return marked && command !== "" ? [`${pid} ${command}`] : [];
    } catch {
      return [];
    }
  });
}
