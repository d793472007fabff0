import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../errors.ts';
import type { OpenRange } from '../../operations/media/open-blob.ts';

export interface SentBlob extends OpenRange {
  /** The file name a download gets. */
  name: string;
  contentType: string;
  /** May be shown, in a page of ours too. Only for types that hold no scripts; everything else is a download. */
  shown?: boolean;
  headers?: Record<string, string>;
}

/**
 * Streams a blob as the answer. The bytes come from other sites: they are never rendered as a document of this origin,
 * whatever they hold.
 */
export async function sendBlob(reply: FastifyReply, open: () => Promise<SentBlob>): Promise<FastifyReply> {
  const blob = await open().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'RANGE_INVALID')
      reply.header('content-range', `bytes */${error.details?.size}`);
    throw error;
  });
  const { start, end } = blob.range ?? { start: 0, end: blob.size };
  reply.headers({
    ...blob.headers,
    'content-disposition': `${blob.shown === true ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(blob.name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'content-type': blob.contentType,
    'content-length': end - start,
    'accept-ranges': 'bytes',
    ...(blob.range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${blob.size}` }),
  });
  return reply.code(blob.range === undefined ? 200 : 206).send(Readable.from(blob.body, { objectMode: false }));
}

/** RFC 8187: encodeURIComponent leaves a few characters that a header may not have. */
const encodeName = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
