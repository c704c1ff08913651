/** Turns an error of the file system into one with a code that a person can act on. */
import { constants } from "node:os";
import { OvldError } from "./ovld-error.ts";

export function explainFileError(error: unknown, path: string): unknown {
  if (error instanceof OvldError || !isSystemError(error)) return error;
  const facts = { path: error.path ?? path };
  // Node.js has no name for the error of a quota that is used up.
  const code = CODES[error.errno === -constants.errno.EDQUOT ? "EDQUOT" : error.code];
  if (code !== undefined) return new OvldError({ code, facts }, error);
  return new OvldError({ code: "file-trouble", facts: { ...facts, reason: error.message } }, error);
}

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return isSystemError(error) && codes.includes(error.code);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;
}

const CODES: Partial<Record<string, "disk-full" | "file-size-limit" | "not-writable">> = {
  ENOSPC: "disk-full",
  EDQUOT: "disk-full",
  EFBIG: "file-size-limit",
  EACCES: "not-writable",
  EPERM: "not-writable",
  EROFS: "not-writable",
};

/** What an action returns; undefined if it fails, whatever the reason. */
export function tryTo<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

export function succeeds(action: () => unknown): boolean {
  return tryTo(() => ({ done: action() })) !== undefined;
}
