import { ensureDomains } from '../../src/db/domains/domains.ts';
import { newId } from '../../src/ids.ts';
import type { TestApi } from './api.ts';
import { storedThings } from './stored-things.ts';

/** One of everything a route can name, all of it in the first of two collections. */
export interface Things {
  collection: string;
  otherCollection: string;
  /** By the part of a path before the parameter: `/tasks/:id` is `tasks`. */
  ids: Record<string, string>;
}

const THING_DOMAIN = 'things.example';

export async function makeThings(api: TestApi): Promise<Things> {
  const { ok, app } = api;
  const collection = (await ok('POST', '/collections', { name: 'mine' }, 201)).id;
  const otherCollection = (await ok('POST', '/collections', { name: 'other' }, 201)).id;
  const url = `https://${THING_DOMAIN}/page`;
  const crawl = (await ok('POST', '/crawl', { urls: [url], collection_id: collection }, 202)).id;
  const task = (await ok('GET', `/crawl/${crawl}/tasks`)).items[0].id;
  const upload = { url, content: 'Things of all kinds.', collection_id: collection, tags: ['thing'] };
  const document = (await ok('POST', '/documents', upload, 201)).id;
  await ok('POST', '/documents', { ...upload, content: 'Things of all kinds, told again.' }, 201);
  const tag = (await ok('GET', '/tags')).items[0].id;
  const config = (await ok('POST', '/configs', { name: 'thing', options: {} }, 201)).id;
  const source = (await ok('POST', '/sources', { name: 'thing', url, collection_id: collection }, 201)).id;
  const hook = { url: 'https://hooks.example/h' };
  const webhook = (await ok('POST', `/sources/${source}/webhooks`, hook, 201)).id;
  const proxy = (await ok('POST', '/proxies', { name: 'thing', url: 'http://proxy.example:8080' }, 201)).id;
  await ok('POST', `/domains/${THING_DOMAIN}/proxies`, { proxy_ids: [proxy] }, 201);
  const discovery = (await ok('POST', '/discover', { domain: THING_DOMAIN }, 202)).id;
  const key = (await ok('POST', '/api-keys', { name: 'thing' }, 201)).id;
  const stored = storedThings(app);
  const inserted = await insertThings(app.database, { webhook, document });
  await stored.file(document);
  await stored.response(inserted.pages);
  const user = (await ok('POST', '/users', { email: 'thing@example.com' }, 201)).id;
  return {
    collection,
    otherCollection,
    ids: {
      crawl,
      tasks: task,
      documents: document,
      tags: tag,
      collections: collection,
      configs: config,
      sources: source,
      webhooks: webhook,
      proxies: proxy,
      domains: THING_DOMAIN,
      domain: THING_DOMAIN,
      discover: discovery,
      jobs: discovery,
      'api-keys': key,
      users: user,
      sessions: await stored.session(user),
      alerts: await stored.alert(),
      silences: (await ok('POST', '/alerts/silences', { kind: 'thing' }, 201)).id,
      captures: await stored.capture(),
      images: await stored.image(inserted.products),
      exports: (await ok('POST', '/exports', { format: 'jsonl' }, 202)).id,
      imports: await stored.import(crawl),
      ...inserted,
    },
  };
}

/** What only a worker writes. */
async function insertThings(
  database: TestApi['app']['database'],
  { webhook, document }: { webhook: string; document: string },
): Promise<{ deliveries: string; pages: string; products: string }> {
  const [delivery, page, product] = [newId(), newId(), newId()];
  const [domain] = await ensureDomains(database, [{ id: newId(), domain: THING_DOMAIN }]);
  await database.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, event, payload, endpoint) VALUES ($1, $2, 'crawl.completed', '{}', '\\x00')`,
    [delivery, webhook],
  );
  await database.query(
    `INSERT INTO pages (id, url, url_hash, domain_id, http_status, visits) SELECT $1, url, url_hash, $2, 200, 1 FROM documents WHERE id = $3`,
    [page, domain!.id, document],
  );
  await database.query('UPDATE documents SET page_id = $1 WHERE id = $2', [page, document]);
  await database.query(
    `INSERT INTO products (id, url, url_hash, domain, page_id, name, parser, parser_version, content_hash)
     SELECT $1, url, url_hash, domain, $2, 'Thing', 'generic', '1', content_hash FROM documents WHERE id = $3`,
    [product, page, document],
  );
  return { deliveries: delivery, pages: page, products: product };
}
