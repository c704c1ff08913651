/** What the benchmark may be told on its command line. */
import { parseArgs } from "node:util";

export interface Options {
  /** One JSON document instead of a table. */
  json: boolean;
  /** A tenth of the samples: shows that the benchmark works, not how fast ovld is. */
  quick: boolean;
  /** Keeps the run as the one that the documents show. */
  record: boolean;
  /** Measures only what has this in its name. */
  only: string;
}

export function parseOptions(args: string[]): Options | { problem: string } {
  try {
    const {
      json = false,
      quick = false,
      record = false,
      only = "",
    } = parseArgs({
      args,
      options: {
        json: { type: "boolean" },
        quick: { type: "boolean" },
        record: { type: "boolean" },
        only: { type: "string" },
      },
    }).values;
    if (record && (quick || only !== "")) return { problem: "--record takes a whole run" };
    return { json, quick, record, only };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
