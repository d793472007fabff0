import * as crypto from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';

export const NewPassword = z.string().min(10, 'at least 10 characters').max(1_000);

/**
 * Passwords at rest, as PHC strings: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. argon2id needs Node 24.7; where an older
 * 24 runs, scrypt stands in. Each hash names its own algorithm and cost, so both are verified everywhere they can be.
 */
const ARGON = { memory: 19_456, passes: 2, parallelism: 1 };
const SCRYPT = { N: 2 ** 16, r: 8, p: 1 };
const LENGTH = 32;

const scrypt = promisify<crypto.BinaryLike, crypto.BinaryLike, number, crypto.ScryptOptions, Buffer>(crypto.scrypt);
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

function argon(password: string, salt: Buffer, cost: typeof ARGON): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    crypto.argon2('argon2id', { message: password, nonce: salt, tagLength: LENGTH, ...cost }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(16);
  if (typeof crypto.argon2 === 'function') {
    const { memory, passes, parallelism } = ARGON;
    const key = await argon(password, salt, ARGON);
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(key)}`;
  }
  const key = await scrypt(password, salt, LENGTH, { ...SCRYPT, maxmem: 256 * SCRYPT.N * SCRYPT.r });
  return `$scrypt$ln=${Math.log2(SCRYPT.N)},r=${SCRYPT.r},p=${SCRYPT.p}$${unpadded(salt)}$${unpadded(key)}`;
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = stored.split('$');
  const [salt, wanted] = parts.slice(-2).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer];
  const cost = Object.fromEntries((parts.at(-3) ?? '').split(',').map((pair) => pair.split('='))) as {
    [name: string]: string;
  };
  let key: Buffer;
  if (parts[1] === 'argon2id')
    key = await argon(password, salt, { memory: Number(cost.m), passes: Number(cost.t), parallelism: Number(cost.p) });
  else if (parts[1] === 'scrypt') {
    const [N, r] = [2 ** Number(cost.ln), Number(cost.r)];
    key = await scrypt(password, salt, LENGTH, { N, r, p: Number(cost.p), maxmem: 256 * N * r });
  } else return false;
  return key.length === wanted.length && crypto.timingSafeEqual(key, wanted);
}

/** What an unknown login is checked against, so that it takes as long as a known one. */
let decoy: Promise<string> | undefined;
export async function verifyNobody(password: string): Promise<void> {
  decoy ??= hashPassword(crypto.randomBytes(16).toString('hex'));
  await verifyPassword(password, await decoy);
}
