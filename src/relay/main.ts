/**
 * `ovld relay`: runs one role's MCP server, from reading its environment to its end.
 *
 * A client may start a relay only to ask what it is. So everything else is loaded when its tools are first listed or
 * called.
 */
import { RELAY_SERVER } from "../agent/hook-call.ts";
import { mailWord } from "../bell/mail-word.ts";
import { readRelaySettings, SUMMONED, type RelaySettings } from "../config/relay-settings.ts";
import { OvldError } from "../system/ovld-error.ts";
import { pause } from "../system/async.ts";
import {
  identifyOurselves,
  identifyProcess,
  isProcessAlive,
  onceAskedToEnd,
  surviveFileSizeLimit,
} from "../system/process.ts";
import { VERSION } from "../system/version.ts";
import { trackAnswerDelivery } from "./answer-delivery.ts";
import { complain, complainer } from "./complain.ts";
import { serve, type Leaving } from "./connection.ts";
import type { LoadPart, OpenTools } from "./open-tools.ts";
import { printInstructions } from "./print-instructions.ts";
import type { ToolServer } from "./protocol.ts";

const EXIT_PRECONDITION = 4;

export async function runRelay(load: LoadPart): Promise<void> {
  let settings: RelaySettings;
  try {
    settings = readRelaySettings(process.env, workingFolder);
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    complainer(load, process.env)(error);
    process.exitCode = EXIT_PRECONDITION;
    return;
  }
  // Child processes must not see it.
  delete process.env[SUMMONED.secret];
  await serveRole(settings, load);
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new OvldError({ code: "cwd-gone", facts: {} }, error);
  }
}

async function serveRole(settings: RelaySettings, load: LoadPart): Promise<void> {
  surviveFileSizeLimit();
  const { role, insightDir, summoned } = settings;
  const delivery = trackAnswerDelivery();
  const relay = identifyOurselves();
  const client = identifyProcess(process.ppid);
  // A relay that is a child of the init process has no agent.
  const agent = process.ppid > 1 ? client : undefined;
  let opened: OpenTools | undefined;
  const tools = (): OpenTools =>
    (opened ??= load("tools").openTools({ settings, env: process.env, relay, agent, delivery, load }));
  const server: ToolServer = {
    name: RELAY_SERVER,
    version: VERSION,
    instructions: printInstructions(insightDir, mailWord(role, summoned)),
    get toolNames() {
      return tools().toolNames;
    },
    listTools: () => tools().listTools(),
    callTool: (name, input, call) => tools().callTool(name, input, call),
  };
  const left = serve({ input: process.stdin, output: process.stdout, server, delivery, complain });
  const asked = new Promise<NodeJS.Signals>((resolve) => onceAskedToEnd(resolve));
  const why = await Promise.race([left, asked]);
  if (await isOrderlyEnd(why, client)) delivery.confirmAll();
  opened?.close();
  process.exit(0);
}

/** Long enough for the kernel to finish with a client whose end of the pipe has closed. */
const CLIENT_DEATH_MS = 50;

/**
 * If the client or its terminal died, or closed the pipe that it reads from, it may not have read the last answers;
 * their mail is delivered again.
 */
async function isOrderlyEnd(why: Leaving | NodeJS.Signals, client: string | undefined): Promise<boolean> {
  if (why === "SIGHUP" || why === "stopped-reading") return false;
  await pause(CLIENT_DEATH_MS);
  return client !== undefined && isProcessAlive(client);
}
