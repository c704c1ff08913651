/** Whether the agents work in this folder without asking first. */
import type { AgentProgram } from "../agent/agent-program.ts";
import type { Finding } from "../agent/finding.ts";
import type { Language } from "../army/words.ts";
import type { Environment } from "../config/environment.ts";
import { describeError } from "../i18n/error-texts.ts";

interface TrustPlace {
  env: Environment;
  folder: string;
  language: Language;
}

export function checkTrust(
  { trusts, needs }: AgentProgram,
  { env, folder, language }: TrustPlace,
): Finding[] {
  const trust = trusts?.(env, folder);
  switch (trust?.is) {
    case undefined:
      return [];
    case "trusted":
      return [{ verdict: "good", code: "folder-trusted", facts: { folder } }];
    case "unknown": {
      const { file: path, problem } = trust;
      const sentence = describeError({ code: "file-unfit", facts: { path, problem } }, language);
      return [{ verdict: "wrong", code: "claude-state", facts: { sentence } }];
    }
    case "lacking": {
      const untrusted = { code: "folder-untrusted", facts: { folder: trust.folder } } as const;
      return [{ verdict: "note", ...untrusted, ...(needs !== undefined && { fix: needs }) }];
    }
  }
}
