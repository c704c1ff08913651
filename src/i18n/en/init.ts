/** What `ovld init` says and asks. */

export const INIT_TEXTS = {
  willWrite: "Files to write:",
  willReplace: (path: string) => `${path} (replaces the existing file)`,
  willKeep: (path: string) => `${path} already exists and is kept.`,
  askToWrite: "Go ahead? [Y/n] ",
  no: /^\s*no?\s*$/i,
  wroteNothing: "Nothing was written.",
  wrote: (path: string) => `Wrote ${path}`,
  kept: (path: string) => `Kept  ${path} (--force replaces it)`,
  nothingToDo: "Everything already exists.",
  next: "Next: ovld doctor checks your setup, ovld summon opens the army.",
};
