/** Other versions of Node, from npm. */
import { fetchProgram, type NpmProgram } from "./npm-cache.ts";

/** The oldest version that ovld supports, and the newest of each later line. */
export const SUPPORTED_NODES = ["20.19.0", "22.23.3", "24.21.0"] as const;
export const TOO_OLD_NODE = "20.18.3";

export function nodeBinary(version: string): string {
  return fetchProgram(nodePackage(version));
}

export function nodePackage(version: string): NpmProgram {
  return { name: `node-${process.platform}-${process.arch}`, version, file: "bin/node" };
}
