import * as z from "zod/mini";
import { otherRoles, type Role } from "../../army/roles.ts";
import { describeError } from "../../i18n/error-texts.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { messageInput, sendOne, type Receipt } from "./send-one.ts";
import { defineTool } from "./tool.ts";

type Failure = { to: Role; stored: false; why: string };

export const broadcast = defineTool({
  name: "broadcast",
  description: "Send the same mail to all five other roles. Only for what concerns everyone.",
  input: z.strictObject(messageInput),
  async run(desk, letter) {
    const results: (Receipt | Failure)[] = [];
    for (const to of otherRoles(desk.role)) {
      try {
        results.push(await sendOne(desk, to, letter));
      } catch (error) {
        if (!(error instanceof OvldError)) throw error;
        results.push({ to, stored: false, why: describeError(error.report, "en") });
      }
    }
    return { content: results, failed: results.every(({ stored }) => !stored) };
  },
});
