import { z } from 'zod';
import type { App } from '../../app.ts';
import { findPageView, readPageVersion } from '../../db/pages/page-views.ts';
import { found } from '../found.ts';
import { Time } from '../schemas.ts';
import { diffLines } from './diff-lines.ts';
import { listPageVersions } from './list-page-versions.ts';

export const DiffPageInput = z.strictObject({
  from: z.coerce.number().int().min(1).optional().describe('Absent: the version before `to`.'),
  to: z.coerce.number().int().min(1).optional().describe('Absent: the newest version.'),
});

const End = z.object({ version: z.number().int(), title: z.string().nullable(), fetched_at: Time });

export const PageDiff = z
  .object({
    from: End,
    to: End,
    added: z.number().int().describe('Lines.'),
    removed: z.number().int(),
    changes: z.array(z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() })),
  })
  .meta({ id: 'PageDiff' });

/** What changed between two versions of a page's content, line by line. */
export async function diffPage(
  app: App,
  pageId: string,
  input: z.output<typeof DiffPageInput>,
): Promise<z.output<typeof PageDiff>> {
  found(await findPageView(app.database, pageId), 'page', pageId);
  const [newest] = (await listPageVersions(app, pageId, { limit: 1 })).items;
  const to = input.to ?? found(newest, 'document of page', pageId).version;
  const from = input.from ?? to - 1;
  const read = async (version: number) => ({
    version,
    ...found(
      await readPageVersion(app.database, pageId, version),
      'version',
      String(version),
      'GET /api/v1/pages/{id}/versions lists what is kept.',
    ),
  });
  const [before, after] = [await read(from), await read(to)];
  const changes = diffLines(before.content, after.content);
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  return { from: before, to: after, added: count('added'), removed: count('removed'), changes };
}
