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
const SEED_OF_USER = [(18 << 3) | (USER >> 5), (USER & 31) << 3];
const KEY_BYTES = 32;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** What precedes a bare public key in SPKI. */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");
/** What precedes a bare private key in PKCS#8. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

export interface Nkey {
  /** Secret: it makes its owner that user. */
  seed: string;
  public: string;
}

export function makeNkey(): Nkey {
  const secret = crypto().randomBytes(KEY_BYTES);
  return { seed: print(SEED_OF_USER, secret), public: publicKeyOf(secret) };
}

/** Undefined if the text is not the seed of a user. */
export function readSeed(seed: string): { public: string; sign: (nonce: string) => string } | undefined {
  const bytes = parse(seed);
  const isSeed = bytes?.length === SEED_OF_USER.length + KEY_BYTES;
  if (!isSeed || SEED_OF_USER.some((byte, at) => bytes[at] !== byte)) return undefined;
  const secret = bytes.subarray(SEED_OF_USER.length);
  const key = privateKey(secret);
  return {
    public: publicKeyOf(secret),
    sign: (nonce) => crypto().sign(null, Buffer.from(nonce), key).toString("base64url"),
  };
}

/** Whether the text is the public key of a user. */
export function isPublicKey(text: string): boolean {
  const bytes = parse(text);
  return bytes?.length === 1 + KEY_BYTES && bytes[0] === USER;
}

/** Whether the owner of this public key has signed the text. */
export function isSigned(key: string, text: string, signature: string): boolean {
  const bytes = isPublicKey(key) ? parse(key) : undefined;
  if (bytes === undefined) return false;
  const spki = Buffer.concat([SPKI_HEAD, bytes.subarray(1)]);
  const verifier = crypto().createPublicKey({ key: spki, format: "der", type: "spki" });
  return crypto().verify(null, Buffer.from(text), verifier, Buffer.from(signature, "base64url"));
}

function publicKeyOf(secret: Buffer): string {
  const spki = crypto().createPublicKey(privateKey(secret)).export({ type: "spki", format: "der" });
  return print([USER], spki.subarray(-KEY_BYTES));
}

function privateKey(secret: Buffer): CryptoModule.KeyObject {
  const key = Buffer.concat([PKCS8_HEAD, secret]);
  return crypto().createPrivateKey({ key, format: "der", type: "pkcs8" });
}

function print(prefix: number[], key: Buffer): string {
  const raw = Buffer.concat([Buffer.from(prefix), key]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(checksum(raw));
  return base32(Buffer.concat([raw, sum]));
}

/** Undefined if it is not base32 or its checksum is wrong. */
function parse(text: string): Buffer | undefined {
  const bytes = fromBase32(text);
  // The last letter has two bits to spare, which must be 0.
  if (bytes === undefined || bytes.length < 3 || base32(bytes) !== text) return undefined;
  const raw = bytes.subarray(0, -2);
  return checksum(raw) === bytes.readUInt16LE(raw.length) ? raw : undefined;
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

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

function fromBase32(text: string): Buffer | undefined {
  if (!/^[A-Z2-7]{1,200}$/.test(text)) return undefined;
  const bits = text
    .split("")
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** Loaded only when needed. */
function crypto(): typeof CryptoModule {
  return process.getBuiltinModule("node:crypto");
}

/** What the operator of a NATS server has signed about a user's key. The server checks it; here it is only read. */
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
