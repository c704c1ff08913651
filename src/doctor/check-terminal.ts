/** Checks the person's terminal. */
import type { Environment } from "../system/run-program.ts";
import type { Finding } from "../agent/agent-program.ts";

/** `columns` is undefined if there is no terminal. */
export function checkTerminal(env: Environment, columns: number | undefined): Finding[] {
  return [screenOf(env, columns), ...surroundings(env)];
}

function screenOf(env: Environment, columns: number | undefined): Finding {
  const term = env["TERM"] || "dumb";
  if (columns === undefined) return { verdict: "note", code: "no-terminal", facts: {} };
  if (term === "dumb") return { verdict: "note", code: "terminal-dumb", facts: { term } };
  return { verdict: "good", code: "terminal", facts: { term, columns } };
}

function surroundings(env: Environment): Finding[] {
  const findings: Finding[] = [];
  const session = env["ZELLIJ_SESSION_NAME"];
  if (env["ZELLIJ"] !== undefined && session) {
    findings.push({ verdict: "note", code: "inside-zellij", facts: { session } });
  }
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "C";
  if (process.platform === "linux" && !/utf-?8/i.test(locale)) {
    findings.push({
      verdict: "note",
      code: "locale-not-utf8",
      facts: { locale },
      fix: "export LANG=C.UTF-8",
    });
  }
  return findings;
}
