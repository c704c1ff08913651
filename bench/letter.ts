/** A message of the length that agents write, and its bytes in a file. */
import type { Role, Sender } from "../src/army/roles.ts";
import { formatMessage, type MessageDraft } from "../src/mail/store/message.ts";

const TEXT =
  "The parser now accepts comments at the end of a line. The change is in src/config/parser.ts, with four new " +
  "tests next to it. Two of the older tests relied on the wrong behaviour and had to change; please look at " +
  "those first. The documentation is not updated yet: I will do so when you agree with the syntax.";

/** The mark makes each letter different. */
export function writeLetter(from: Sender, to: Role, mark: string): MessageDraft {
  return {
    from,
    to,
    subject: "The parser is ready for review",
    body: `${mark}\n${TEXT}`,
    priority: "normal",
  };
}

export function bytesOnDisk(letter: MessageDraft): Buffer {
  return Buffer.from(formatMessage({ id: "", ...letter, timestamp: new Date().toISOString() }));
}
