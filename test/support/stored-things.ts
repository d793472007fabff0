import type { App } from '../../src/app.ts';
import { newId } from '../../src/ids.ts';
import { raiseAlerts } from '../../src/operations/alerts/set-alerts.ts';

/** Things that only a browser, a rule of alerts, a job or a log-in makes; for tests that need one of each. */
export function storedThings({ database, blobs }: Pick<App, 'database' | 'blobs'>) {
  const store = async (text: string) => (await blobs.put([Buffer.from(text)]))[0]!;
  return {
    async capture(): Promise<string> {
      const id = newId();
      await database.query(
        `INSERT INTO captures (id, kind, url, key, owner, page, blob_ref, bytes, content_type, expires_at)
         VALUES ($1, 'pdf', 'https://example.com/', '\\x00', 'key:nobody', $2, $3, 4, 'application/pdf', now() + interval '1 day')`,
        [id, { url: 'https://example.com/', status: 200, title: 'Example' }, await store('%PDF')],
      );
      return id;
    },
    async alert(): Promise<string> {
      const subject = newId();
      const alert = { kind: 'frontier_growth', subject, severity: 'warning', message: 'the frontier grows' } as const;
      const [raised] = await database.transaction((tx) => raiseAlerts(tx, [{ ...alert, value: 200, threshold: 120 }]));
      return raised!.id;
    },
    async image(productId: string): Promise<string> {
      const id = newId();
      await database.query(
        `INSERT INTO product_images (id, product_id, url, blob_ref, content_hash, media_type, width, height, bytes, fetched_at)
         VALUES ($1::uuid, $2, 'https://example.com/' || $1::text, $3, sha256(convert_to($1::text, 'UTF8')), 'image/png', 1, 1, 4, now())`,
        [id, productId, await store(id)],
      );
      return id;
    },
    /** The response of a page, as if it had been fetched. */
    async response(pageId: string): Promise<void> {
      await database.query(`UPDATE pages SET raw_ref = $2, raw_meta = '{"content_type":"text/html"}' WHERE id = $1`, [
        pageId,
        await store('<p>Words.</p>'),
      ]);
    },
    async session(userId: string): Promise<string> {
      const id = newId();
      await database.query(
        `INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1::uuid, sha256(convert_to($1::text, 'UTF8')), $2, now() + interval '1 hour')`,
        [id, userId],
      );
      return id;
    },
    async import(crawlId: string): Promise<string> {
      await database.query(
        `INSERT INTO imports (crawl_id, name, completed_at) VALUES ($1, 'pages.warc.gz', now()) ON CONFLICT DO NOTHING`,
        [crawlId],
      );
      return crawlId;
    },
    /** A document that came as a file. */
    async file(documentId: string): Promise<void> {
      await database.query(
        `INSERT INTO uploads (document_id, version, name, content_type, bytes, blob_ref)
         SELECT id, version, 'note.txt', 'text/plain', 4, $2 FROM documents WHERE id = $1`,
        [documentId, await store('note')],
      );
    },
  };
}
