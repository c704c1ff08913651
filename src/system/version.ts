/** Inserted by the build. */
declare const OVLD_VERSION: string;

/** The version of this program; "unbuilt" for scripts that use a part of it directly. */
export const VERSION: string = typeof OVLD_VERSION === "undefined" ? "unbuilt" : OVLD_VERSION;

/** Compares versions such as 2.12.0, number by number. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [ours, needed] = [version, oldest].map((text) => text.split(".").map(Number));
  const differing = needed?.findIndex((number, index) => number !== ours?.[index]) ?? -1;
  return differing === -1 || (ours?.[differing] ?? 0) > (needed?.[differing] ?? 0);
}
