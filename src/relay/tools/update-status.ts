import * as z from "zod/mini";
import { STATUSES } from "../../army/words.ts";
import { defineTool } from "./tool.ts";

export const updateStatus = defineTool({
  name: "update_status",
  description: "Say what you are doing, when work begins, blocks or ends.",
  input: z.strictObject({ status: z.enum(STATUSES), task: z.optional(z.string()) }),
  run(context, { status, task = "" }) {
    context.mail.setStatus(context.role, status, task);
    return { content: "ok" };
  },
});
