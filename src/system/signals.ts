/** Calls back once when this process is asked to end. */
const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function onceAskedToEnd(end: (signal: NodeJS.Signals) => void): void {
  let asked = false;
  for (const signal of ENDING_SIGNALS) {
    process.on(signal, () => {
      if (asked) return;
      asked = true;
      end(signal);
    });
  }
}

/** Without this the kernel kills a process at its file-size limit; with it the write fails and can be reported. */
export function surviveFileSizeLimit(): void {
  process.on("SIGXFSZ", () => {});
}
