import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi } from '../../support/api.ts';
import { createHashEmbedder } from '../../support/index-app.ts';

test('a chunk size that the model cannot read is refused, and the answer says what it can', async () => {
  const guard = createGuard(['127.0.0.0/8']);
  await using api = await createTestApi({ embedder: createHashEmbedder(), guard });
  const url = 'http://127.0.0.1:9/';
  const requests: [string, string, (size: number) => object][] = [
    ['POST', '/crawl', (chunk_size) => ({ urls: [url], options: { chunk_size } })],
    ['POST', '/configs', (chunk_size) => ({ name: `of ${chunk_size}`, options: { chunk_size } })],
    ['POST', '/sources', (chunk_size) => ({ name: `of ${chunk_size}`, url, options: { chunk_size } })],
  ];
  for (const [method, path, body] of requests) {
    const refused = await api.call(method, path, body(513));
    assert.equal(refused.status, 400, path);
    assert.match(JSON.stringify(refused.body), /VALIDATION_FAILED.*512/);
    const { status } = await api.call(method, path, body(512));
    assert.ok(status < 300, `${path} answered ${status}`);
  }
});
