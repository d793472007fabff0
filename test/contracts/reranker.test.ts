import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCohereReranker } from '../../src/drivers/reranker/cohere.ts';
import { createTeiReranker } from '../../src/drivers/reranker/tei.ts';
import { AppError } from '../../src/errors.ts';
import type { Reranker } from '../../src/ports/reranker.ts';
import { openFetcher } from '../support/http-fetcher.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

const SERVICE = { timeoutMs: 300, retryDelaysMs: [1] };
const DRIVERS: Record<string, (server: ModelServer) => Reranker> = {
  tei: (server) => createTeiReranker({ fetcher: openFetcher([server.origin]), url: server.origin, ...SERVICE }),
  cohere: (server) =>
    createCohereReranker({
      fetcher: openFetcher([server.origin]),
      url: `${server.origin}/v2/rerank`,
      model: 'stand-in',
      ...SERVICE,
    }),
};

for (const [name, open] of Object.entries(DRIVERS))
  describe(`reranker: ${name}`, () => {
    test('gives one score per text, in order', async () => {
      await using server = await startModelServer();
      await using reranker = open(server);
      const scores = await reranker.rerank('red apple', ['green pear', 'red apple', 'an apple']);
      assert.deepEqual(scores, [0, 2, 1]);
      assert.deepEqual(await reranker.rerank('x', []), []);
    });

    test('a service that stays down is ENGINE_DOWN', async () => {
      await using server = await startModelServer();
      await using reranker = open(server);
      server.failures.push(500);
      assert.deepEqual(await reranker.rerank('a', ['a']), [1]);
      server.failures.push(500, 'garbage');
      await assert.rejects(
        reranker.rerank('a', ['a']),
        (error) => error instanceof AppError && error.code === 'ENGINE_DOWN',
      );
    });
  });
