import { Readable } from 'node:stream';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { openBlob } from '../../../operations/media/open-blob.ts';
import { route } from '../route.ts';

export const blobRoutes = [
  route({
    method: 'GET',
    path: '/blobs/:token',
    id: 'downloadBlob',
    summary: 'Download what a signed link leads to',
    description:
      'Exports, captures and backups give such links. Whoever has one may use it until it expires. Takes a Range of bytes.',
    tag: 'media',
    access: 'public',
    bound: 'open',
    errors: ['LINK_EXPIRED', 'RANGE_INVALID', 'DATABASE_DOWN', 'ENGINE_DOWN'],
    limit: 'none',
    params: z.object({ token: z.string().min(1).max(2_000) }),
    stream: 'application/octet-stream',
    also: { 206: 'same' },
    handler: async ({ app, params, request, reply }) => {
      const blob = await openBlob(app, params.token, request.headers.range).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'RANGE_INVALID')
          reply.header('content-range', `bytes */${error.details?.size}`);
        throw error;
      });
      const { start, end } = blob.range ?? { start: 0, end: blob.size };
      reply.headers({
        // Never rendered on this origin: the bytes come from other sites.
        'content-disposition': `attachment; filename*=UTF-8''${encodeName(blob.name)}`,
        'content-security-policy': "sandbox; default-src 'none'",
        'content-type': blob.contentType,
        'content-length': end - start,
        'accept-ranges': 'bytes',
        ...(blob.range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${blob.size}` }),
      });
      return reply.code(blob.range === undefined ? 200 : 206).send(Readable.from(blob.body, { objectMode: false }));
    },
  }),
];

/** RFC 8187: encodeURIComponent leaves a few characters that a header may not have. */
const encodeName = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
