/** The benchmark's command-line options. */
import { parseArgs } from "node:util";

export interface Options {
  /** One JSON document instead of a table. */
  json: boolean;
  /** A tenth of the samples: shows that the benchmark works, not how fast ovld is. */
  quick: boolean;
  /** Records the run as the one that the documents show. */
  record: boolean;
  /** Measures only rows whose name contains this. */
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
