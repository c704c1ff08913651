import * as z from "zod/mini";
import { otherRoles, type Role } from "../../army/roles.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { explainError } from "./explain-to-model.ts";
import { messageInput, storeAndRing, type Receipt } from "./store-and-ring.ts";
import { defineTool, type ToolContext } from "./tool.ts";

interface Failure {
  to: Role;
  /** Why nothing was stored for this role. */
  failure: string;
  /** It may have been stored after all. */
  isUnknown: boolean;
}

export const broadcast = defineTool({
  name: "broadcast",
  description: "Send the same mail to all five other roles. Only for what concerns everyone.",
  input: z.strictObject(messageInput),
  async run(context, letter) {
    // Each message is stored at once and in order; then all bells are awaited together.
    const results = await Promise.all(otherRoles(context.role).map((to) => sendOrTell(context, to, letter)));
    const receipts = results.filter((result) => "id" in result);
    const stored = receipts.filter(({ id }) => id !== undefined);
    const untold = receipts.flatMap(({ to, why }) => (why === undefined ? [] : [[to, why]]));
    const failed = results.filter((result) => "failure" in result);
    const unknown = failed.filter(({ isUnknown }) => isUnknown).map(({ to, failure }) => [to, failure]);
    const failures = failed.filter(({ isUnknown }) => !isUnknown).map(({ to, failure }) => [to, failure]);
    return {
      content: {
        stored: stored.length,
        ...(stored.length < receipts.length && { kept: receipts.length - stored.length }),
        ...(untold.length > 0 && { why: Object.fromEntries(untold) }),
        ...(unknown.length > 0 && { unknown: Object.fromEntries(unknown) }),
        ...(failures.length > 0 && { notStored: Object.fromEntries(failures) }),
      },
      meta: { ids: stored.map(({ id }) => id) },
      failed: receipts.length === 0,
    };
  },
});

async function sendOrTell(
  context: ToolContext,
  to: Role,
  letter: Parameters<typeof storeAndRing>[2],
): Promise<Receipt | Failure> {
  try {
    return await storeAndRing(context, to, letter);
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    return {
      to,
      failure: explainError(error.report, context.texts),
      isUnknown: error.report.code === "hub-unknown",
    };
  }
}
