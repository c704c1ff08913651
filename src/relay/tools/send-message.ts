import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { messageInput, sendOne } from "./send-one.ts";
import { defineTool } from "./tool.ts";

export const sendMessage = defineTool({
  name: "send_message",
  description:
    "Send mail to one role. It is kept until read. Refer to files by path instead of pasting them. Urgent only if work must change at once.",
  input: z.strictObject({ to: z.enum(ROLES), ...messageInput }),
  async run(desk, { to, ...letter }) {
    const { id, why } = await sendOne(desk, to, letter);
    return { content: { stored: true, ...(why !== undefined && { why }) }, meta: { id } };
  },
});
