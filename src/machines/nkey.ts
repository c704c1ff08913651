/**
 * Nkeys: how NATS writes Ed25519 keys as text.
 *
 * A text is base32 of a prefix, 32 bytes of key, and a CRC-16 of both. A seed's prefix has two bytes: that it is a
 * seed, and of whom; here always of a user. Node's own Ed25519 signs much faster than the client's JavaScript.
 */
import type * as CryptoModule from "node:crypto";
import * as z from "zod/mini";
import { lazily } from "../system/async.ts";
import { parseJson } from "../system/json.ts";

const USER = 20 << 3;
const PUBLIC = [USER];
const SEED = [(18 << 3) | (USER >> 5), (USER & 31) << 3];
const KEY_BYTES = 32;
const MOST_LETTERS = 64;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** What precedes a bare private key in PKCS#8. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

export interface Nkey {
  /** Secret: it makes its owner that user. */
  seed: string;
  public: string;
}

export function makeNkey(): Nkey {
  const secret = crypto().randomBytes(KEY_BYTES);
  return { seed: encode(SEED, secret), public: publicKeyOf(privateKey(secret)) };
}

/** Undefined if the text is not the seed of a user. */
export function readSeed(seed: string): { public: string; sign: (nonce: string) => string } | undefined {
  const secret = decode(SEED, seed);
  if (secret === undefined) return undefined;
  const key = privateKey(secret);
  return {
    public: publicKeyOf(key),
    sign: (nonce) => crypto().sign(null, Buffer.from(nonce), key).toString("base64url"),
  };
}

export function isPublicKey(text: string): boolean {
  return decode(PUBLIC, text) !== undefined;
}

export function isSigned(key: string, text: string, signature: string): boolean {
  const x = decode(PUBLIC, key)?.toString("base64url");
  if (x === undefined) return false;
  const verifier = { key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" } as const;
  return crypto().verify(null, Buffer.from(text), verifier, Buffer.from(signature, "base64url"));
}

function publicKeyOf(key: CryptoModule.KeyObject): string {
  const { x = "" } = crypto().createPublicKey(key).export({ format: "jwk" });
  return encode(PUBLIC, Buffer.from(x, "base64url"));
}

function privateKey(secret: Buffer): CryptoModule.KeyObject {
  const key = Buffer.concat([PKCS8_HEAD, secret]);
  return crypto().createPrivateKey({ key, format: "der", type: "pkcs8" });
}

function encode(prefix: number[], key: Buffer): string {
  const raw = Buffer.concat([Buffer.from(prefix), key]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(checksum(raw));
  const fives = regroup([...raw, ...sum], 8, 5);
  return fives.map((five) => ALPHABET[five]).join("");
}

/** The key in a text; undefined if the text is not exactly what would be printed for it. */
function decode(prefix: number[], text: string): Buffer | undefined {
  const letters = text.slice(0, MOST_LETTERS).split("");
  const fives = letters.map((letter) => ALPHABET.indexOf(letter));
  const key = Buffer.from(regroup(fives, 5, 8)).subarray(prefix.length, prefix.length + KEY_BYTES);
  return encode(prefix, key) === text ? key : undefined;
}

/** The same bits in groups of another size; the last one is filled with zeros. */
function regroup(groups: number[], from: number, to: number): number[] {
  const bits = groups.map((group) => group.toString(2).padStart(from, "0")).join("");
  const parts = bits.match(new RegExp(`.{1,${to}}`, "g")) ?? [];
  return parts.map((part) => Number.parseInt(part.padEnd(to, "0"), 2));
}

/** CRC-16 as in XMODEM. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return sum;
}

/** Loaded only when needed. */
function crypto(): typeof CryptoModule {
  return process.getBuiltinModule("node:crypto");
}

const claims = lazily(() => z.object({ sub: z.string(), exp: z.optional(z.int()) }));

/**
 * What the operator of a NATS server has signed: about which public key, and when the server stops accepting it, if ever.
 * The server checks it; here it is only read. Undefined if it is something else.
 */
export function readUserJwt(jwt: string): { key: string; expires: Date | undefined } | undefined {
  const body = Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString();
  const parsed = claims().safeParse(parseJson(body));
  if (!parsed.success) return undefined;
  const { sub, exp } = parsed.data;
  return { key: sub, expires: exp ? new Date(exp * 1000) : undefined };
}
