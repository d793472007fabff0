import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { LinkedBlob } from '../../ports/blobs.ts';

/** Below the API, since the folder has no server of its own. */
const PATH = '/api/v1/blobs/';

const Payload = z.tuple([z.string(), z.string(), z.string(), z.number()]);

export interface Links {
  make(blob: LinkedBlob, expiresInS: number): Promise<string>;
  open(token: string): Promise<LinkedBlob | undefined>;
}

/**
 * Links that carry what they lead to and until when, signed: nothing is kept for them.
 *
 *   token   base64url([reference, name, type, expiry in seconds]) . base64url(HMAC-SHA-256 of it)
 */
export function createLinks(key: () => Promise<Uint8Array>): Links {
  let known: Promise<Uint8Array> | undefined;
  const sign = async (text: string) => {
    known ??= key().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return createHmac('sha256', await known)
      .update(`blob link ${text}`)
      .digest();
  };

  return {
    async make({ reference, name, contentType }, expiresInS) {
      const expiry = Math.floor(Date.now() / 1_000) + expiresInS;
      const text = Buffer.from(JSON.stringify([reference, name, contentType, expiry])).toString('base64url');
      return `${PATH}${text}.${(await sign(text)).toString('base64url')}`;
    },
    async open(token) {
      const [text = '', signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = await sign(text);
      if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      const [reference, name, contentType, expiry] = Payload.parse(
        JSON.parse(Buffer.from(text, 'base64url').toString()),
      );
      if (expiry * 1_000 <= Date.now()) throw new AppError('LINK_EXPIRED', 'this link was good until a while ago');
      return { reference, name, contentType };
    },
  };
}
