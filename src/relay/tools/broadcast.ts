import * as z from "zod/mini";
import { otherRoles, type Role } from "../../army/roles.ts";
import { describeError } from "../../i18n/error-texts.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { messageInput, sendOne, type Receipt } from "./send-one.ts";
import { defineTool, type Desk } from "./tool.ts";

type Failure = { to: Role; stored: false; why: string };

export const broadcast = defineTool({
  name: "broadcast",
  description: "Send the same mail to all five other roles. Only for what concerns everyone.",
  input: z.strictObject(messageInput),
  async run(desk, letter) {
    // Each is stored at once and in order; what their bells say is waited for together.
    const results = await Promise.all(otherRoles(desk.role).map((to) => sendOrTell(desk, to, letter)));
    return { content: results, failed: results.every(({ stored }) => !stored) };
  },
});

async function sendOrTell(
  desk: Desk,
  to: Role,
  letter: Parameters<typeof sendOne>[2],
): Promise<Receipt | Failure> {
  try {
    return await sendOne(desk, to, letter);
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    return { to, stored: false, why: describeError(error.report, "en") };
  }
}
