/** What `ovld insight` says. */

export const INSIGHT_TEXTS = {
  folder: (path: string) => `Notes on this project, in ${path}:`,
  none: "There are no notes yet. The strategist writes them at the end of an order.",
  columns: { name: "note", age: "age", size: "size", summary: "summary" },
  noSummary: "(no summary: not a text file, or empty)",
  willForget: (name: string, summary: string) => `This deletes the note ${name}: ${summary}`,
  askToForget: "Delete it? [y/N] ",
  kept: "The note was kept.",
  forgotten: (name: string) => `The note ${name} was deleted.`,
};
