/** A process identity in a record; anything else makes the record none of ours. */
import * as z from "zod/mini";
import { isProcessIdentity, type ProcessIdentity } from "../system/process-identity.ts";

export function processIdentity(): z.ZodMiniCustom<ProcessIdentity> {
  return z.custom<ProcessIdentity>((value) => typeof value === "string" && isProcessIdentity(value));
}
