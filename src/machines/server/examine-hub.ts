/** What is wrong with the hub of this machine, and what fixes it. */
import { statSync } from "node:fs";
import type { HubFinding } from "../../i18n/en/hub.ts";
import type { Environment } from "../../system/run-program.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { OLDEST_SERVER } from "../carrier/server-needs.ts";
import { findServer } from "./find-server.ts";
import type { HubFiles } from "./hub-files.ts";
import { LEAST_FREE } from "./keep-server.ts";
import { seeHub } from "./see-hub.ts";

/** With less than this the person should do something soon. */
const LITTLE_FREE = 8 * LEAST_FREE;

export async function examineHub(files: HubFiles, env: Environment): Promise<HubFinding[]> {
  const findings: HubFinding[] = [await examineServer(env)];
  const view = await seeHub(files);
  const { server, answers, keeper, listen, hasTls, problem, freeBytes, servers } = view;
  if (server === null) findings.push({ verdict: "wrong", code: "not-running", facts: {}, fix: START });
  else if (answers) findings.push({ verdict: "good", code: "answers", facts: { listen } });
  else findings.push({ verdict: "wrong", code: "silent", facts: { listen, reason: problem ?? "" } });
  if (keeper === null && server !== null) {
    findings.push({ verdict: "wrong", code: "not-kept", facts: {}, fix: START });
  } else if (keeper !== null) {
    const { isWell, restarts, lastRestart } = keeper;
    findings.push(
      isWell
        ? { verdict: "good", code: "stores", facts: { restarts } }
        : { verdict: "wrong", code: "does-not-store", facts: {} },
    );
    if (lastRestart !== null) findings.push({ verdict: "note", code: "restarted", facts: lastRestart });
  }
  for (const { address, answers: isUp, leads } of servers) {
    if (isUp) findings.push({ verdict: "good", code: "server-answers", facts: { address, leads } });
    else findings.push({ verdict: "wrong", code: "server-silent", facts: { address } });
  }
  const megabytes = Math.floor(freeBytes / 1024 ** 2);
  findings.push({
    verdict: freeBytes < LEAST_FREE ? "wrong" : freeBytes < LITTLE_FREE ? "note" : "good",
    code: "disk",
    facts: { megabytes, folder: files.store },
  });
  if (!hasTls) findings.push({ verdict: "wrong", code: "no-tls", facts: { listen }, fix: START });
  if ((statSync(files.state).mode & 0o077) !== 0) {
    findings.push({
      verdict: "wrong",
      code: "readable",
      facts: { path: files.state },
      fix: `chmod 600 ${files.state}`,
    });
  }
  return findings;
}

const START = "ovld hub start";

async function examineServer(env: Environment): Promise<HubFinding> {
  try {
    const server = await findServer(env);
    if (server !== undefined) return { verdict: "good", code: "server", facts: server };
    return { verdict: "wrong", code: "no-server", facts: { oldest: OLDEST_SERVER }, fix: START };
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    return { verdict: "wrong", code: "no-server", facts: { oldest: OLDEST_SERVER } };
  }
}
