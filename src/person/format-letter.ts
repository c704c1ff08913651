/** A message to the person as text, marked as quoted, so that nothing in it can pass for ours. Pure. */
import type { Look } from "../command/command-context.ts";
import { cleanLine, cleanProse } from "../system/clean-text.ts";
import { formatLocalTime } from "../system/text.ts";
import { quote } from "./format-request.ts";
import type { Letter } from "./letters.ts";

export function formatLetter(letter: Letter & { redelivered?: boolean | undefined }, look: Look): string {
  const { id, from, subject, body, priority, timestamp, redelivered } = letter;
  const { texts, paint } = look;
  const marks = [
    ...(priority === "urgent" ? [`[${texts.log.urgent}]`] : []),
    ...(redelivered ? [`[${texts.inbox.seenBefore}]`] : []),
  ];
  const title = [paint(from, from), paint("strong", cleanLine(cleanProse(subject))), ...marks].join("  ");
  const details = paint("faint", `${formatLocalTime(new Date(timestamp))}  ${id}`);
  return [title, details, ...quote(body, look, { clean: cleanProse }), ""].join("\n");
}
