import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../src/app.ts';
import { loadSettings } from '../src/config/load.ts';
import { createApiKey } from '../src/operations/access/create-api-key.ts';
import { startCrawl } from '../src/operations/crawls/start-crawl.ts';
import { uploadDocument } from '../src/operations/documents/upload-document.ts';
import { runIndexer } from '../src/roles/indexer.ts';
import { createWords, seededRandom } from './search-data.ts';

export interface ApiData {
  /** May ask as often as it can. */
  key: string;
  crawlId: string;
  queries: string[];
}

const SEARCHABLE = 200;
const CRAWLS = 200;
const QUERIES = 16;

/** A data folder with documents, of which some are indexed, and crawls that wait. Nothing runs in it afterwards. */
export async function fillFolder(env: Record<string, string>, documents: number): Promise<ApiData> {
  const words = createWords(seededRandom(7), 5_000);
  const { settings } = loadSettings({ ...env, EMBEDDER__YIELDS: 'false' });
  await using app = await createApp(settings);
  await app.database.query(
    `INSERT INTO documents (id, url, url_hash, domain, title, content, content_hash, language, source)
     SELECT x.id, 'https://example.com/' || x.at, sha256(x.at::text::bytea), 'example.com', 'Document ' || x.at, x.text,
       sha256(x.at::text::bytea), 'en', 'crawl'
     FROM json_to_recordset($1::json) AS x (id uuid, at int, text text)`,
    [
      JSON.stringify(
        Array.from({ length: documents }, (_, at) => ({
          id: `00000000-0000-7000-9000-${at.toString(16).padStart(12, '0')}`,
          at,
          text: words.text(100),
        })),
      ),
    ],
  );
  for (let at = 0; at < SEARCHABLE; at++)
    await uploadDocument(app, {
      url: `https://example.org/${at}`,
      title: words.query(4),
      content: `# ${words.query(3)}\n\n${words.text(200)}`,
      content_type: 'text/markdown',
      tags: [],
      metadata: {},
      language: 'en',
    });
  let crawlId = '';
  for (let at = 0; at < CRAWLS; at++) crawlId = (await startCrawl(app, { urls: [`https://example.com/${at}`] })).id;
  const stop = new AbortController();
  const indexing = runIndexer(app, stop.signal);
  for (let waiting = 1; waiting > 0; await sleep(200)) {
    const [row] = await app.database.query<{ n: number }>('SELECT count(*)::int AS n FROM outbox');
    waiting = row!.n;
  }
  stop.abort();
  await indexing;
  await app.database.query('ANALYZE');
  const { key } = await createApiKey(app, { name: 'Load', scopes: ['admin'], rate_limit_rpm: 1_000_000_000 });
  return { key, crawlId, queries: Array.from({ length: QUERIES }, () => words.query(3)) };
}
