/** What `ovld armies` says. */
import { countOf } from "./count-of.ts";

export interface ArmiesTexts {
  columns: Record<"name" | "state" | "age" | "mail" | "conversations" | "folder", string>;
  states: Record<"running" | "starting" | "crashed" | "archived", string>;
  unknownFolder: string;
  willRemove(name: string, unread: number): string;
  askToRemove: string;
  kept: string;
  removed(name: string): string;
}

export const ARMIES_TEXTS: ArmiesTexts = {
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
  willRemove: (name, unread) =>
    `This deletes ${name}: its journal, its statuses and ${unread === 0 ? "no unread mail" : countOf(unread, "unread message")}. It cannot be brought back.`,
  askToRemove: "Delete? [y/N] ",
  kept: "Nothing was deleted.",
  removed: (name) => `${name} was deleted.`,
};
