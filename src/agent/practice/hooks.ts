/**
 * Runs hooks as Claude Code's `--settings` define them, but only those that call a tool of the agent's own MCP
 * server, because that is how an agent reports to its relay.
 */
import * as z from "zod/mini";
import type { HookName } from "../claude/hooks.ts";
import { parseJson } from "../../system/json.ts";
import { readJsonFile } from "./mcp-config.ts";

const settingsFile = z.object({
  hooks: z.optional(
    z.record(
      z.string(),
      z.array(
        z.object({ matcher: z.optional(z.string()), hooks: z.array(z.record(z.string(), z.unknown())) }),
      ),
    ),
  ),
});

export type HookSettings = z.infer<typeof settingsFile>;

/** What an event says besides its name. */
export type EventData = Readonly<Record<string, string>>;

export interface PracticeHookCall {
  server: string;
  tool: string;
  input: Record<string, unknown>;
  /** In seconds. */
  timeout?: number | undefined;
}

const toolHook = z.object({
  type: z.literal("mcp_tool"),
  server: z.string(),
  tool: z.string(),
  input: z.optional(z.record(z.string(), z.unknown())),
  timeout: z.optional(z.number()),
});

export function readHookSettings(path: string): HookSettings {
  return readJsonFile(path, settingsFile);
}

/** The calls to make for this event. */
export function hookCalls(
  { hooks = {} }: HookSettings,
  event: HookName,
  data: EventData,
): PracticeHookCall[] {
  const facts: EventData = { ...data, hook_event_name: event };
  return (hooks[event] ?? [])
    .filter(({ matcher = "" }) => matches(matcher, data))
    .flatMap((group) => group.hooks)
    .flatMap((hook) => {
      const parsed = toolHook.safeParse(hook);
      if (!parsed.success) return [];
      const { server, tool, input = {}, timeout } = parsed.data;
      return [{ server, tool, input: fillIn(input, facts), timeout }];
    });
}

/** A matcher is about the source of a session, or about a tool. */
function matches(matcher: string, { source, tool_name: tool }: EventData): boolean {
  if (matcher === "" || matcher === "*") return true;
  return new RegExp(`^(?:${matcher})$`).test(source ?? tool ?? "");
}

function fillIn(input: Record<string, unknown>, facts: EventData): Record<string, unknown> {
  const fill = (text: string): string =>
    text.replaceAll(/\$\{([^}]*)\}/g, (_all, name: string) => facts[name] ?? "");
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, typeof value === "string" ? fill(value) : value]),
  );
}

const hookAnswer = z.object({
  hookSpecificOutput: z.object({ hookEventName: z.string(), additionalContext: z.string() }),
});

const permissionAnswer = z.object({
  hookSpecificOutput: z.object({
    hookEventName: z.literal("PermissionRequest"),
    decision: z.discriminatedUnion("behavior", [
      z.object({
        behavior: z.literal("allow"),
        updatedPermissions: z.optional(z.array(z.unknown())),
      }),
      z.object({ behavior: z.literal("deny"), message: z.optional(z.string()) }),
    ]),
  }),
});

export type Decision = z.infer<typeof permissionAnswer>["hookSpecificOutput"]["decision"];

/** What a hook's answer decides about a question that is open in the pane, if it decides anything. */
export function decisionIn(answer: string): Decision | undefined {
  return permissionAnswer.safeParse(parseJson(answer)).data?.hookSpecificOutput.decision;
}

/** The text that a hook's answer adds to the conversation, if it adds any. */
export function additionalContext(event: HookName, answer: string): string | undefined {
  const added = hookAnswer.safeParse(parseJson(answer)).data?.hookSpecificOutput;
  return added?.hookEventName === event ? added.additionalContext || undefined : undefined;
}
