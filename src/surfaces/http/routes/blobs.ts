import { z } from 'zod';
import { openBlob } from '../../../operations/media/open-blob.ts';
import { route } from '../route.ts';
import { sendBlob } from '../send-blob.ts';

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
    also: { 206: 'same' },
    limit: 'none',
    params: z.object({ token: z.string().min(1).max(2_000) }),
    stream: 'application/octet-stream',
    handler: ({ app, params, request, reply }) =>
      sendBlob(reply, () => openBlob(app, params.token, request.headers.range)),
  }),
];
