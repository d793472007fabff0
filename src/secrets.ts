import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { AppError } from './errors.ts';

/**
 * Keeps what must not be readable in a stolen database or backup: passwords of proxies, header values, webhook secrets.
 *
 * A sealed value is `enc:v1:KEY:DATA`. KEY names the key by a hash of it, so that values of an older key stay readable
 * while a newer one seals; DATA is nonce, AES-256-GCM ciphertext and tag in base64url. `purpose` is authenticated with
 * it: a value that was moved to another place in the database does not open there.
 */
export interface Secrets {
  /** The key that seals now. */
  keyId(): string;
  seal(purpose: string, text: string): string;
  /** Throws SECRETS_KEY_MISSING for a key that is not known, SECRET_DAMAGED for a value that does not open. */
  open(purpose: string, sealed: string): string;
}

/** Bytes of a key. */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^enc:v1:([0-9a-f]{8}):([\w-]+)$/;

export const isSealed = (text: string) => SEALED.test(text);

export const keyIdOf = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 8);

/**
 * `readKeys` gives the keys in force; the first seals, all open. It is called again before each value is sealed and when a
 * value names an unknown key, so that a running process notices a rotation.
 */
export function createSecrets(readKeys: () => readonly Buffer[]): Secrets {
  let known = new Map<string, Buffer>();
  const refresh = (): [string, Buffer] => {
    known = new Map(readKeys().map((key) => [keyIdOf(key), key]));
    const [first] = known;
    if (first === undefined) throw new AppError('SECRETS_KEY_MISSING', 'there is no key to encrypt secrets with');
    return first;
  };

  return {
    keyId: () => refresh()[0],
    seal(purpose, text) {
      const [id, key] = refresh();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      const data = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `enc:v1:${id}:${data.toString('base64url')}`;
    },
    open(purpose, sealed) {
      const [, id, text] = SEALED.exec(sealed) ?? [];
      if (id === undefined || text === undefined) throw damaged();
      if (!known.has(id)) refresh();
      const key = known.get(id);
      if (key === undefined)
        throw new AppError('SECRETS_KEY_MISSING', `a stored secret was encrypted with key ${id}, which is not here`, {
          details: { key: id, known: [...known.keys()] },
        });
      const data = Buffer.from(text, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(purpose))
          .setAuthTag(data.subarray(-TAG_BYTES));
        return decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw damaged(cause);
      }
    },
  };
}

const damaged = (cause?: unknown) =>
  new AppError('SECRET_DAMAGED', 'a stored secret was changed since it was encrypted', { cause });
