import { z } from 'zod';
import type { App } from '../../app.ts';
import {
  CAPTURE_SORTS,
  type CaptureRow,
  deleteCaptureRow,
  findCapture,
  listCaptureRows,
} from '../../db/media/captures.ts';
import { type Caller, mayAccess } from '../access/caller.ts';
import { found } from '../found.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { Id, Time } from '../schemas.ts';
import { linkTo } from './capture.ts';

const Kind = z.enum(['screenshot', 'pdf', 'scripts']);

export const ListCapturesInput = ListQuery.extend({
  ...sortBy(CAPTURE_SORTS),
  kind: Kind.optional(),
  url: z.string().min(1).max(2_048).optional().describe('The address as it was requested.'),
});

export const Capture = z
  .object({
    id: Id,
    kind: Kind,
    url: z.string().describe('The address as it was requested.'),
    final_url: z.string().describe('Where it was taken, after redirects.'),
    status: z.number().int(),
    title: z.string(),
    content_type: z.string(),
    size: z.number().int().describe('Bytes.'),
    private: z.boolean().describe('Only its owner and admins see it: scripts of the owner ran in the page.'),
    owner: z.string(),
    created_at: Time,
    expires_at: Time.describe('When it is removed.'),
    link: z.string().describe('A signed link to the bytes: whoever has it may download them.'),
    link_expires_at: Time,
  })
  .meta({ id: 'Capture' });
type Capture = z.output<typeof Capture>;

const readerOf = (caller: Caller) => ({ name: caller.name, admin: mayAccess(caller, 'admin') });

/** Private ones for their owner and for admins only. */
export async function listCaptures(
  app: App,
  input: z.output<typeof ListCapturesInput>,
  caller: Caller,
): Promise<ListPage<Capture>> {
  const listing = listCaptureRows(readerOf(caller), { kind: input.kind, url: input.url });
  const page = await readList(app.database, listing, CAPTURE_SORTS, input, (row) => row);
  return { ...page, items: await Promise.all(page.items.map((row) => toCapture(app, row))) };
}

export async function getCapture(app: App, id: string, caller: Caller): Promise<Capture> {
  return toCapture(app, found(await findCapture(app.database, readerOf(caller), id), 'capture', id));
}

/** Forgets a capture: it answers no request any more. Links that were given out work until they expire. */
export async function deleteCapture(app: App, id: string, caller: Caller): Promise<void> {
  found(await deleteCaptureRow(app.database, readerOf(caller), id), 'capture', id);
}

async function toCapture(app: App, row: CaptureRow): Promise<Capture> {
  const { blob_ref: _, page, bytes, ...rest } = row;
  return {
    ...rest,
    final_url: page.url,
    status: page.status,
    title: page.title,
    size: bytes,
    ...(await linkTo(app, row)),
  };
}
