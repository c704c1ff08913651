/** A process identity in a record; with any other value the record is invalid. */
import * as z from "zod/mini";
import { isProcessIdentity, type ProcessIdentity } from "../../system/process.ts";

export function processIdentity(): z.ZodMiniCustom<ProcessIdentity> {
  return z.custom<ProcessIdentity>((value) => typeof value === "string" && isProcessIdentity(value));
}
