/** Reads what the operator of a NATS server has signed about a user's key. The server checks it; here it is only read. */
import * as z from "zod/mini";
import { lazily } from "./async.ts";
import { parseJson } from "./json.ts";

interface UserJwt {
  /** The public key that it is about. */
  key: string;
  /** When the server stops accepting it; undefined for never. */
  expires: Date | undefined;
}

const claims = lazily(() => z.object({ sub: z.string(), exp: z.optional(z.int()) }));

/** Undefined if it is something else. */
export function readUserJwt(jwt: string): UserJwt | undefined {
  const body = Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString();
  const parsed = claims().safeParse(parseJson(body));
  if (!parsed.success) return undefined;
  const { sub, exp } = parsed.data;
  return { key: sub, expires: exp ? new Date(exp * 1000) : undefined };
}
