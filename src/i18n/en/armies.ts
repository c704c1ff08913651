/** What `ovld armies` says. */
import { countOf } from "./count-of.ts";

export const ARMIES_TEXTS = {
  columns: {
    name: "army",
    state: "state",
    age: "age",
    mail: "unread",
    conversations: "conversations",
    folder: "folder",
  },
  states: { running: "running", starting: "starting", crashed: "cut off", archived: "archived" },
  unknownFolder: "unknown",
  willRemove: (name: string, unread: number) =>
    `This deletes ${name}: its journal, its statuses and ${unread === 0 ? "no unread mail" : countOf(unread, "unread message")}. It cannot be brought back.`,
  askToRemove: "Delete? [y/N] ",
  kept: "Nothing was deleted.",
  removed: (name: string) => `${name} was deleted.`,
};
