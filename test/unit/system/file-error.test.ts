import { constants } from "node:os";
import { expect, it } from "vitest";
import { explainFileError } from "../../../src/system/file-error.ts";

/** As Node.js reports it, which has no name for this error. */
const QUOTA = { errno: -constants.errno.EDQUOT, syscall: "write" };

it.each(["UNKNOWN", "Unknown system error -122"])(
  "a quota that is used up counts as a full disk, although Node.js calls it %s",
  (code) => {
    const error = Object.assign(new Error("UNKNOWN: unknown error, write"), QUOTA, { code });
    expect(explainFileError(error, "/store")).toMatchObject({
      report: { code: "disk-full", facts: { path: "/store" } },
    });
  },
);
