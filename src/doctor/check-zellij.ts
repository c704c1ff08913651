/** Checks Zellij: its version, and whether it can really create and remove a session in the background. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unusableTempFolder, OLDEST_ZELLIJ, type VersionCheck } from "../zellij/version.ts";
import { createInBackground, endSession, listedState } from "../zellij/sessions.ts";
import type { Zellij } from "../zellij/zellij.ts";
import { formatError } from "../i18n/sentences.ts";
import type { Texts } from "../i18n/texts.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Finding } from "../agent/agent-program.ts";

export async function checkZellij(zellij: Zellij, found: VersionCheck, texts: Texts): Promise<Finding[]> {
  const { program } = zellij;
  const folder = unusableTempFolder(zellij);
  if (folder !== undefined) return [{ verdict: "wrong", code: "temp-folder", facts: { folder } }];
  const fix = "cargo install --locked zellij";
  if (found === "missing") {
    return [{ verdict: "wrong", code: "zellij-missing", facts: { oldest: OLDEST_ZELLIJ }, fix }];
  }
  const { version, fits } = found;
  if (!fits) {
    const facts = { version, program, oldest: OLDEST_ZELLIJ };
    return [{ verdict: "wrong", code: "zellij-too-old", facts, fix }];
  }
  const here: Finding = { verdict: "good", code: "zellij", facts: { version, program } };
  return [here, await trySession(zellij, texts)];
}

const PATIENCE_MS = 30_000;

async function trySession(army: Zellij, texts: Texts): Promise<Finding> {
  // The test session does not belong to an army.
  const zellij = { ...army, record: undefined };
  const session = `ovld-doctor-${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), "ovld-doctor-"));
  const layout = join(folder, "layout.kdl");
  const began = performance.now();
  try {
    writeFileSync(layout, LAYOUT);
    if (!(await createInBackground(zellij, session, layout, AbortSignal.timeout(PATIENCE_MS))))
      return failed(`${session} is there already`);
    const state = await listedState(zellij, session);
    await endSession(zellij, session);
    if (state !== "live") return failed(`${session} is ${state}`);
    const milliseconds = Math.round(performance.now() - began);
    return { verdict: "good", code: "zellij-session", facts: { milliseconds } };
  } catch (error) {
    return failed(error instanceof OvldError ? formatError(error.report, texts) : String(error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One pane that does nothing, and Zellij saves nothing of it. */
const LAYOUT = `layout {
    pane command="sleep" {
        args "60"
    }
}
session_serialization false
`;

function failed(reason: string): Finding {
  return { verdict: "wrong", code: "zellij-session-failed", facts: { reason } };
}
