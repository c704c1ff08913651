/** What `ovld init` says and asks. */

export interface InitTexts {
  willWrite: string;
  willReplace(path: string): string;
  willKeep(path: string): string;
  askToWrite: string;
  no: RegExp;
  wroteNothing: string;
  wrote(path: string): string;
  kept(path: string): string;
  nothingToDo: string;
  next: string;
}

export const INIT_TEXTS: InitTexts = {
  willWrite: "Files to write:",
  willReplace: (path) => `${path} (replaces the existing file)`,
  willKeep: (path) => `${path} already exists and is kept.`,
  askToWrite: "Go ahead? [Y/n] ",
  no: /^\s*no?\s*$/i,
  wroteNothing: "Nothing was written.",
  wrote: (path) => `Wrote ${path}`,
  kept: (path) => `Kept  ${path} (--force replaces it)`,
  nothingToDo: "Everything already exists.",
  next: "Next: ovld doctor checks your setup, ovld summon opens the army.",
};
