import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { STATUSES, type StatusWord } from "../../army/words.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { explainError } from "./explain-to-model.ts";
import { messageInput, storeAndRing } from "./store-and-ring.ts";
import { defineTool, type ToolContext } from "./tool.ts";

export const sendMessage = defineTool({
  name: "send_message",
  description:
    "Send mail to one role. It is kept until read. Refer to files by path instead of pasting them. Leave priority out unless work must change at once. status: your own from now on, instead of a call of update_status.",
  input: z.strictObject({ to: z.enum(ROLES), ...messageInput, status: z.optional(z.enum(STATUSES)) }),
  async run(context, { to, status, ...letter }) {
    let trouble: string | undefined;
    const { id, why } = await storeAndRing(context, to, letter, () => {
      if (status !== undefined) trouble = setStatusOrTell(context, status);
    });
    const more = { ...(why !== undefined && { why }), ...(trouble !== undefined && { status: trouble }) };
    if (id === undefined) return { content: { kept: true, ...more }, meta: {} };
    const content = Object.keys(more).length === 0 ? "stored" : { stored: true, ...more };
    return { content, meta: { id } };
  },
});

/** The task stays what it was. Returns the problem, if any: the message is stored in any case. */
function setStatusOrTell({ mail, role, texts }: ToolContext, status: StatusWord): string | undefined {
  try {
    mail.setStatus(role, status, mail.status(role).task);
    return undefined;
  } catch (error) {
    return error instanceof OvldError ? explainError(error.report, texts) : String(error);
  }
}
