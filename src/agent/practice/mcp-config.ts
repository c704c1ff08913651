/** Reads which MCP server is the agent's own from the configuration it was started with. */
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { readOwnFile } from "../../system/read-file.ts";

export interface McpServer {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** The role whose server it is. */
  role: Role;
}

const mcpConfig = z.object({
  mcpServers: z.record(
    z.string(),
    z.object({
      command: z.string(),
      args: z.optional(z.array(z.string())),
      env: z.record(z.string(), z.string()),
    }),
  ),
});

const identity = z.object({ OVLD_ROLE: z.enum(ROLES) });

/** The first server in the file; an agent of the army has no other. */
export function readMcpConfig(path: string): McpServer {
  const [entry] = Object.entries(readJsonFile(path, mcpConfig).mcpServers);
  const role = identity.safeParse(entry?.[1].env);
  if (!entry || !role.success) {
    throw new OvldError({ code: "file-wrong", facts: { path, reason: "no server with an OVLD_ROLE" } });
  }
  const [name, { command, args = [], env }] = entry;
  return { name, command, args, env, role: role.data.OVLD_ROLE };
}

const MOST_BYTES = 16 * 1024 * 1024;

/** Reads and checks a JSON file that another program wrote; errors name its path. */
export function readJsonFile<Schema extends z.ZodMiniType>(path: string, schema: Schema): z.infer<Schema> {
  try {
    const text = readOwnFile(path, MOST_BYTES);
    if (text === undefined) throw new Error("there is no such file");
    const parsed = schema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join(".") || "content"}: ${issue?.message ?? "not as expected"}`);
  } catch (error) {
    if (error instanceof OvldError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OvldError({ code: "file-wrong", facts: { path, reason } });
  }
}
