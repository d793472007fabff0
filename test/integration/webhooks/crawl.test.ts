import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDeepCrawl } from '../../../src/operations/crawls/start-crawl.ts';
import { readSharedSecrets } from '../../../src/operations/webhooks/shared-secret.ts';
import { runScheduler } from '../../../src/roles/scheduler.ts';
import { runWorker } from '../../../src/roles/worker.ts';
import { createEngine, eventually } from '../../support/engine.ts';
import { html, openSite } from '../../support/watch-crawls.ts';
import { openMessage, startReceiver } from '../../support/webhook-receiver.ts';

test('a real crawl reports its start, every page once, and its end, in this order', { timeout: 90_000 }, async () => {
  await using engine = await createEngine();
  await using receiver = await startReceiver();
  const links = Array.from({ length: 20 }, (_, at) => `/p${at}`);
  await using site = await openSite((path, _request, response) => {
    if (path === '/robots.txt') return;
    if (path === '/p7') response.writeHead(404).end();
    else html(response, path === '/' ? links : [], `Words of the page at ${path}, which is one of a site.`);
  });
  engine.run(runWorker);
  engine.run(runScheduler);
  const events = ['crawl.started', 'crawl.page', 'crawl.completed'];
  const { id } = await startDeepCrawl(engine.app, {
    ...{ url: `${site.origin}/`, max_depth: 1, max_pages: 100 },
    webhook: { url: `${receiver.origin}/in`, events, filter: { domains: [new URL(site.origin).host] } },
  });
  const [secret] = await readSharedSecrets(engine.app);
  const messages = await eventually(
    async () => receiver.got.map((message) => openMessage(message, secret!)),
    (got) => got.at(-1)?.type === 'crawl.completed',
  );
  assert.equal(messages[0].type, 'crawl.started');
  assert.ok(messages.slice(1, -1).every(({ type, data }) => type === 'crawl.page' && data.crawl_id === id));
  const pages = messages.flatMap(({ data }) => data.pages ?? []) as { url: string; outcome: string; seq: number }[];
  assert.deepEqual(pages.map(({ url }) => new URL(url).pathname).sort(), ['/', ...links].sort());
  assert.deepEqual(
    pages.filter(({ outcome }) => outcome !== 'stored').map(({ url, outcome }) => [new URL(url).pathname, outcome]),
    [['/p7', 'failed']],
  );
  assert.deepEqual(
    pages.map(({ seq }) => seq),
    pages.map(({ seq }) => seq).sort((a, b) => a - b),
  );
  const { pages_crawled, pages_failed } = messages.at(-1).data;
  assert.deepEqual([pages_crawled, pages_failed], [20, 1]);
});
