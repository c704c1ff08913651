import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { messageInput, storeAndRing } from "./store-and-ring.ts";
import { defineTool } from "./tool.ts";

export const sendMessage = defineTool({
  name: "send_message",
  description:
    "Send mail to one role. It is kept until read. Refer to files by path instead of pasting them. Urgent only if work must change at once.",
  input: z.strictObject({ to: z.enum(ROLES), ...messageInput }),
  async run(context, { to, ...letter }) {
    const { id, why } = await storeAndRing(context, to, letter);
    const fate = id === undefined ? { kept: true } : { stored: true };
    return { content: { ...fate, ...(why !== undefined && { why }) }, meta: { id } };
  },
});
