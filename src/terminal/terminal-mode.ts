/** Whether a program has given up its terminal: it then hands on whole lines, and no longer every key as it is pressed. */
import { readlinkSync } from "node:fs";
import { readProgram } from "../system/run-program.ts";

/** False where the process has no terminal, or where that cannot be told. */
export function hasLineMode(pid: number, platform: NodeJS.Platform = process.platform): boolean {
  const terminal = platform === "linux" ? terminalInProc(pid) : terminalByPs(pid);
  if (terminal === undefined) return false;
  const flag = platform === "linux" ? "-F" : "-f";
  const settings = readProgram("stty", flag, terminal, "-a")?.split(/[\s;]+/) ?? [];
  return settings.includes("icanon");
}

function terminalInProc(pid: number): string | undefined {
  try {
    const path = readlinkSync(`/proc/${pid}/fd/0`);
    return path.startsWith("/dev/") ? path : undefined;
  } catch {
    return undefined;
  }
}

function terminalByPs(pid: number): string | undefined {
  const name = readProgram("ps", "-o", "tty=", "-p", String(pid))?.trim();
  return name === undefined || !/^\w/.test(name) ? undefined : `/dev/${name}`;
}
