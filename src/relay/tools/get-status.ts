import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import { defineTool } from "./tool.ts";

export const getStatus = defineTool({
  name: "get_status",
  description: "See what one role, or all, last said they are doing.",
  input: z.strictObject({ role: z.optional(z.enum([...ROLES, "all"])) }),
  run(desk, { role = "all" }) {
    return {
      content: role === "all" ? ROLES.map((each) => desk.mail.status(each)) : desk.mail.status(role),
    };
  },
});
