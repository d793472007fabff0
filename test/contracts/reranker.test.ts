import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCohereReranker } from '../../src/drivers/reranker/cohere.ts';
import { createOnnxReranker } from '../../src/drivers/reranker/onnx.ts';
import { createTeiReranker } from '../../src/drivers/reranker/tei.ts';
import { AppError } from '../../src/errors.ts';
import type { Reranker } from '../../src/ports/reranker.ts';
import { makeCrossEncoder, POSITIONS } from '../support/cross-encoder.ts';
import { openFetcher } from '../support/http-fetcher.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { rerankerContract } from './reranker.contract.ts';
import { runContract } from './support/contract.ts';

const code = (expected: string) => (error: unknown) => error instanceof AppError && error.code === expected;
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

for (const [name, open] of Object.entries(DRIVERS)) {
  runContract(rerankerContract, name, async () => {
    const server = await startModelServer();
    return Object.assign(open(server), { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
  });

  test(`${name}: a service that stays down is ENGINE_DOWN`, async () => {
    await using server = await startModelServer();
    await using reranker = open(server);
    server.failures.push(500);
    assert.equal((await reranker.rerank('a', ['a'])).length, 1);
    server.failures.push(500, 'garbage');
    await assert.rejects(reranker.rerank('a', ['a']), code('ENGINE_DOWN'));
  });
}

for (const logits of [1, 2] as const)
  runContract(rerankerContract, `onnx, ${logits} logits`, async () => {
    const model = await makeCrossEncoder({ logits });
    const reranker = createOnnxReranker({ path: model.folder });
    const close = reranker[Symbol.asyncDispose].bind(reranker);
    return Object.assign(reranker, {
      async [Symbol.asyncDispose]() {
        await close();
        await model[Symbol.asyncDispose]();
      },
    });
  });

test('onnx: a pair longer than the model reads is cut at its end, not refused', async () => {
  await using model = await makeCrossEncoder();
  await using reranker = createOnnxReranker({ path: model.folder });
  const scores = await reranker.rerank('apple', [
    'pear '.repeat(POSITIONS),
    `${'pear '.repeat(POSITIONS)} apple`,
    'apple',
  ]);
  assert.ok(scores[0] === scores[1] && scores[2]! > scores[0]!, String(scores));
});

test('onnx: a folder without a model is MODEL_MISSING; the name tells models apart', async () => {
  assert.throws(() => createOnnxReranker({ path: import.meta.dirname }), code('MODEL_MISSING'));
  await using one = await makeCrossEncoder();
  await using two = await makeCrossEncoder({ logits: 2 });
  await using first = createOnnxReranker({ path: one.folder });
  await using second = createOnnxReranker({ path: two.folder });
  assert.notEqual(first.model.split('@')[1], second.model.split('@')[1]);
});
