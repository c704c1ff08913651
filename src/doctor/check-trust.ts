/** Checks whether the agents work in this folder without asking first. */
import type { AgentProgram, Finding } from "../agent/agent-program.ts";
import type { Texts } from "../i18n/texts.ts";
import type { Environment } from "../system/run-program.ts";
import { formatError } from "../i18n/sentences.ts";

interface TrustPlace {
  env: Environment;
  folder: string;
  texts: Texts;
}

export function checkTrust({ trusts, needs }: AgentProgram, { env, folder, texts }: TrustPlace): Finding[] {
  const trust = trusts?.(env, folder);
  switch (trust?.is) {
    case undefined:
      return [];
    case "trusted":
      return [{ verdict: "good", code: "folder-trusted", facts: { folder } }];
    case "unknown": {
      const { file: path, problem } = trust;
      const sentence = formatError({ code: "file-unfit", facts: { path, problem } }, texts);
      return [{ verdict: "wrong", code: "claude-state", facts: { sentence } }];
    }
    case "lacking": {
      const untrusted = { code: "folder-untrusted", facts: { folder: trust.folder } } as const;
      return [{ verdict: "note", ...untrusted, ...(needs !== undefined && { fix: needs }) }];
    }
  }
}
