/** Turns an error of the file system into one with a code that a person can act on. */
import { constants } from "node:os";
import { OvldError, type ErrorReport } from "./ovld-error.ts";

export function explainFileError(error: unknown, path: string): unknown {
  if (error instanceof OvldError || !isSystemError(error)) return error;
  return new OvldError(reportFor(nameOf(error), error.path ?? path, error.message), error);
}

/** Node.js has no name for the error of a quota that is used up. */
function nameOf({ errno, code }: { errno?: number | undefined; code: string }): string {
  return errno === -constants.errno.EDQUOT ? "EDQUOT" : code;
}

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return isSystemError(error) && codes.includes(error.code);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;
}

function reportFor(errno: string, path: string, reason: string): ErrorReport {
  switch (errno) {
    case "ENOSPC":
    case "EDQUOT":
      return { code: "disk-full", facts: { path } };
    case "EFBIG":
      return { code: "file-size-limit", facts: { path } };
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return { code: "not-writable", facts: { path } };
    default:
      return { code: "file-trouble", facts: { path, reason } };
  }
}
