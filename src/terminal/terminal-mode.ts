/** Whether a terminal is back in line mode: the program in it has given up reading single keys. */
import { readlinkSync } from "node:fs";
import { readProgram } from "../system/run-program.ts";

/** False if the process has no terminal, or if its mode is unknown. */
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
