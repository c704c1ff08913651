/** Reads what is piped or typed into this process, as text, but never more than needed. */
export async function readInput(mostBytes: number, stop: AbortSignal): Promise<string> {
  const { stdin } = process;
  const giveUp = (): void => void stdin.destroy(new Error("asked to end"));
  stop.addEventListener("abort", giveUp);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stdin) {
      const part = Buffer.from(chunk);
      chunks.push(part);
      bytes += part.length;
      if (bytes > mostBytes) break;
    }
  } finally {
    stop.removeEventListener("abort", giveUp);
  }
  return Buffer.concat(chunks).toString("utf8");
}
