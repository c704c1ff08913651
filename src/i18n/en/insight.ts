/** What `ovld insight` says. */

export interface InsightTexts {
  folder(path: string): string;
  none: string;
  columns: { name: string; age: string; size: string; summary: string };
  noSummary: string;
  willForget(name: string, summary: string): string;
  askToForget: string;
  kept: string;
  forgotten(name: string): string;
}

export const INSIGHT_TEXTS: InsightTexts = {
  folder: (path) => `Notes on this project, in ${path}:`,
  none: "There are no notes yet. The strategist writes them at the end of an order.",
  columns: { name: "note", age: "age", size: "size", summary: "summary" },
  noSummary: "(no summary: not a text file, or empty)",
  willForget: (name, summary) => `This deletes the note ${name}: ${summary}`,
  askToForget: "Delete it? [y/N] ",
  kept: "The note was kept.",
  forgotten: (name) => `The note ${name} was deleted.`,
};
