/** Other versions of Node, from npm. */
import { join } from "node:path";
import { fetchPackage } from "./npm-cache.ts";

export function nodeBinary(version: string): string {
  return join(fetchPackage(`node-${process.platform}-${process.arch}`, version), "bin", "node");
}
