/** How long Node runs with these arguments, or with nothing to do at all. */
import { once } from "node:events";
import type { Workplace } from "./workplace.ts";

export async function timeNode(
  place: Workplace,
  args: string[],
  env?: Record<string, string>,
): Promise<number> {
  const began = performance.now();
  const child = place.startNode(args, env);
  child.stdout.resume();
  const [code] = await once(child, "exit");
  const took = performance.now() - began;
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code}`);
  return took;
}

export function timeBareNode(place: Workplace): Promise<number> {
  return timeNode(place, ["-e", "0"]);
}
