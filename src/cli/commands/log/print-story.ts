/** One message's whole story for a person to read: its text, and everything that happened to it. */
import { createEntryPrinter, type Look } from "./print-entry.ts";
import type { Story } from "../../../view/story.ts";

export function printStory({ id, message, entries }: Story, unread: boolean, look: Look): string {
  const { paint } = look;
  const texts = look.texts.log;
  const { see, print } = createEntryPrinter(look);
  const lines = [paint("faint", id)];
  if (message) {
    const { from, to, subject, body, priority, by } = message;
    const urgent = priority === "urgent" ? ` [${texts.urgent}]` : "";
    lines.push(`${paint(from, from)} → ${paint(to, to)}: ${paint("strong", subject)}${urgent}`);
    if (by) {
      const pid = String(Number.parseInt(by.process, 10));
      lines.push(paint("faint", texts.storedBy(by.program, pid, by.role)));
    }
    lines.push("", body, "");
  }
  const began = Date.parse(entries[0]?.at ?? "");
  for (const entry of entries) {
    see(entry);
    const seconds = (Date.parse(entry.at) - began) / 1_000;
    const age = entry === entries[0] ? "" : `  ${paint("faint", texts.after(seconds.toFixed(1)))}`;
    lines.push(`${print(entry).trimEnd()}${age}`);
  }
  if (unread) lines.push(paint("warning", texts.stillUnread));
  return `${lines.join("\n")}\n`;
}
