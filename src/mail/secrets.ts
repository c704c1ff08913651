/**
 * The secrets of an army's roles, in one file for the processes that summon it or write as the person. They are kept
 * as long as the mail, because agents summoned later must still recognise earlier seals.
 */
import * as z from "zod/mini";
import { ROLES, type Role } from "../army/roles.ts";
import { lazily } from "../system/lazily.ts";
import { parseJson } from "../system/parse-json.ts";
import { readPlainFile } from "../system/read-plain-file.ts";
import { storePaths } from "./paths.ts";

export type RoleSecrets = Readonly<Record<Role, string>>;

const MOST_BYTES = 4_096;
const SECRET_BYTES = 32;

const secretsFile = lazily(() => z.record(z.enum(ROLES), z.string().check(z.minLength(SECRET_BYTES))));

/** Undefined if the army was summoned by an older ovld that had no secrets, or never summoned. */
export function readSecrets(root: string): RoleSecrets | undefined {
  const file = readPlainFile(storePaths(root).secrets, MOST_BYTES);
  return "text" in file ? secretsFile().safeParse(parseJson(file.text)).data : undefined;
}

export function makeSecrets(make: () => string = makeOne): RoleSecrets {
  return {
    overlord: make(),
    strategist: make(),
    inferno: make(),
    glacier: make(),
    shadow: make(),
    storm: make(),
  };
}

function makeOne(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(SECRET_BYTES).toString("base64url");
}
