import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import type { App } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load.ts';
import { createFileBlobs } from '../../src/drivers/blobs/files.ts';
import { createHttpFetcher } from '../../src/drivers/fetcher/http.ts';
import { newId } from '../../src/ids.ts';
import { productImagesJob } from '../../src/jobs/product-images.ts';
import { planProductImages } from '../../src/scheduler/plan-product-images.ts';
import { createGuard } from '../../src/web/guard.ts';
import { createTestDatabase } from '../support/database.ts';
import { startWebServer } from '../support/web-server.ts';

const png = (width: number) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from([0, 0, 0, width, 0, 0, 0, 9, 8, 6, 0, 0, 0]),
  ]);

it('fetches the images of products, typed, measured, and each once', async () => {
  await using site = await startWebServer((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(200).end('User-agent: *\nDisallow: /private');
    const width = /^\/(\d+)\./.exec(request.url ?? '')?.[1];
    if (width !== undefined) response.writeHead(200, { 'content-type': 'text/plain' }).end(png(Number(width)));
    else if (request.url === '/page.jpg')
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<html></html>');
    else response.writeHead(404).end();
  });
  const folder = await mkdtemp(join(tmpdir(), 'images-'));
  await using database = await createTestDatabase();
  await using blobs = createFileBlobs({ linkKey: async () => Buffer.alloc(32), folder });
  const { settings } = loadSettings({
    APP_ENV: 'test',
    RATE_LIMIT__DEFAULT_RPS: '1000',
    PRODUCTS__IMAGES: 'true',
    GUARD__ALLOW: site.origin,
  });
  const guard = createGuard(settings.guard.allow);
  await using fetcher = createHttpFetcher({ guard, settings });
  const app = { database, blobs, fetcher, guard, settings } as unknown as App;

  const productId = newId();
  await database.query(
    `INSERT INTO products (id, url, url_hash, domain, parser, parser_version, content_hash) VALUES ($1, 'u', 'h', 'd', 'generic', '1', '')`,
    [productId],
  );
  for (const [position, path] of [
    '/40.png',
    '/50.webp',
    '/40.png?again',
    '/page.jpg',
    '/gone.png',
    '/private/1.png',
  ].entries())
    await database.query('INSERT INTO product_images (id, product_id, url, position) VALUES ($1, $2, $3, $4)', [
      newId(),
      productId,
      site.origin + path,
      position,
    ]);

  await planProductImages(app);
  await planProductImages(app);
  assert.equal((await database.query(`SELECT 1 FROM jobs WHERE kind = 'product-images'`)).length, 1);
  const result = await productImagesJob.run(
    { app, signal: new AbortController().signal, timeoutMs: 60_000, lastAttempt: false, progress: async () => {} },
    {},
  );
  assert.deepEqual(result, { fetched: 6, failed: 3 });

  const rows = await database.query<Record<string, unknown>>(
    'SELECT media_type, width, height, blob_ref, error_code FROM product_images ORDER BY position',
  );
  assert.deepEqual(
    rows.map((row) => [row.media_type, row.width, row.height, row.blob_ref !== null, row.error_code]),
    [
      ['image/png', 40, 9, true, null],
      ['image/png', 50, 9, true, null],
      ['image/png', 40, 9, false, 'DUPLICATE_CONTENT'],
      [null, null, null, false, 'CONTENT_TYPE_UNSUPPORTED'],
      [null, null, null, false, 'HTTP_4XX'],
      [null, null, null, false, 'ROBOTS_DISALLOWED'],
    ],
  );
  assert.deepEqual(Buffer.from((await blobs.get(rows[0]!.blob_ref as string))!), png(40));
  assert.ok(!site.asked.includes('/private/1.png'));
  const asked = site.asked.length;
  await productImagesJob.run(
    { app, signal: new AbortController().signal, timeoutMs: 60_000, lastAttempt: false, progress: async () => {} },
    {},
  );
  assert.equal(site.asked.length, asked, 'nothing is fetched twice');
  await rm(folder, { recursive: true });
});
