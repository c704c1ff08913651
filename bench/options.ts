/** What the benchmark may be told on its command line. */
import { parseArgs } from "node:util";

export interface Options {
  /** One JSON document instead of a table. */
  json: boolean;
  /** A tenth of the samples: shows that the benchmark works, not how fast ovld is. */
  quick: boolean;
}

export function parseOptions(args: string[]): Options | { problem: string } {
  try {
    const { json = false, quick = false } = parseArgs({
      args,
      options: { json: { type: "boolean" }, quick: { type: "boolean" } },
    }).values;
    return { json, quick };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
