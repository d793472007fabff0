import { createHash, randomBytes } from 'node:crypto';

/** Tokens carry 256 random bits, so a plain SHA-256 is enough to keep them safe at rest. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest();

export const newToken = () => randomBytes(32).toString('base64url');

export interface NewApiKey {
  /** Shown once. */
  key: string;
  /** Enough to recognise a key in a list, too little to guess it. */
  prefix: string;
  hash: Buffer;
}

export function newApiKey(): NewApiKey {
  const key = `c4r_${newToken()}`;
  return { key, prefix: key.slice(0, 12), hash: hashToken(key) };
}

/** Something a person can type once: four groups of letters and digits without look-alikes (about 95 bits). */
export function newPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const letters: string[] = [];
  while (letters.length < 20) {
    // 248 is the largest multiple of 31 a byte can hold; larger bytes would favour the first letters.
    for (const byte of randomBytes(32)) if (byte < 248 && letters.length < 20) letters.push(alphabet[byte % 31]!);
  }
  return letters.join('').replace(/.{5}(?=.)/g, '$&-');
}
