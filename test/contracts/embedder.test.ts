import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOnnxEmbedder } from '../../src/drivers/embedder/onnx.ts';
import { createOpenAiEmbedder } from '../../src/drivers/embedder/openai.ts';
import { createTeiEmbedder } from '../../src/drivers/embedder/tei.ts';
import { AppError } from '../../src/errors.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import { openFetcher } from '../support/http-fetcher.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { embedderContract } from './embedder.contract.ts';
import { runContract } from './support/contract.ts';

const code = (expected: string) => (error: unknown) => error instanceof AppError && error.code === expected;
const REMOTE = { dimension: 32, batchSize: 32, model: 'stand-in', timeoutMs: 300, retryDelaysMs: [1, 1, 1] };
const DRIVERS = {
  tei: (server: ModelServer, over = {}) =>
    createTeiEmbedder({ fetcher: openFetcher([server.origin]), url: server.origin, ...REMOTE, ...over }),
  openai: (server: ModelServer, over = {}) =>
    createOpenAiEmbedder({
      fetcher: openFetcher([server.origin]),
      url: `${server.origin}/v1`,
      apiKey: 'k',
      ...REMOTE,
      ...over,
    }),
};

// At usual priority: other tests want the cores all the time. That its processes do the same work is tested beside them.
runContract(embedderContract, 'onnx', async () => createOnnxEmbedder({ yields: false }));
for (const [name, open] of Object.entries(DRIVERS)) {
  runContract(embedderContract, name, async () => {
    const server = await startModelServer();
    const embedder = open(server);
    return Object.assign(embedder, { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }) as Embedder;
  });

  test(`${name}: sends batches, tries again after 5xx, 429 and time-outs`, async () => {
    await using server = await startModelServer();
    await using embedder = open(server);
    server.failures.push(503, 429, 'hang');
    const vectors = await embedder.embed(
      Array.from({ length: 70 }, (_, at) => `text ${at}`),
      'document',
    );
    assert.equal(vectors.length, 70);
    assert.equal(server.requests.length, 6);
    if (name === 'openai') assert.equal(server.requests[0]!.authorization, 'Bearer k');
  });

  test(`${name}: what stays down is ENGINE_DOWN; what is refused is not asked again`, async () => {
    await using server = await startModelServer();
    await using embedder = open(server);
    server.failures.push(500, 500, 500, 500);
    await assert.rejects(embedder.embed(['a'], 'document'), code('ENGINE_DOWN'));
    server.failures.push(400);
    await assert.rejects(embedder.embed(['a'], 'document'), code('ENGINE_DOWN'));
    assert.equal(server.requests.length, 5);
    server.failures.push('garbage');
    await assert.rejects(embedder.embed(['a'], 'document'), code('ENGINE_DOWN'));
  });

  test(`${name}: a query waits for two tries, and then not at all for a while`, async () => {
    await using server = await startModelServer();
    await using embedder = open(server, { restMs: 60_000 });
    server.failures.push(503);
    assert.equal((await embedder.embed(['a'], 'query')).length, 1);
    server.failures.push(400);
    await assert.rejects(embedder.embed(['refused'], 'query'), code('ENGINE_DOWN'));
    assert.equal((await embedder.embed(['a'], 'query')).length, 1);
    server.failures.push(503, 'hang');
    await assert.rejects(embedder.embed(['a'], 'query'), code('ENGINE_DOWN'));
    const asked = server.requests.length;
    await assert.rejects(embedder.embed(['a'], 'query'), code('ENGINE_DOWN'));
    assert.equal(server.requests.length, asked);
    assert.equal((await embedder.embed(['a'], 'document')).length, 1);
    await using soon = open(server, { restMs: 0 });
    server.failures.push(503, 503);
    await assert.rejects(soon.embed(['a'], 'query'), code('ENGINE_DOWN'));
    assert.equal((await soon.embed(['a'], 'query')).length, 1);
  });

  test(`${name}: sends what a model wants in front of queries and documents, and is another model by that`, async () => {
    await using server = await startModelServer();
    await using plain = open(server);
    await using embedder = open(server, { queryPrefix: 'query: ', documentPrefix: 'passage: ' });
    await embedder.embed(['a'], 'query');
    await embedder.embed(['a'], 'document');
    const sent = server.requests.map(({ body }) => body.inputs ?? body.input);
    assert.deepEqual(sent, [['query: a'], ['passage: a']]);
    assert.notEqual(embedder.model, plain.model);
  });

  test(`${name}: vectors that cannot be used are refused`, async () => {
    await using server = await startModelServer();
    await using embedder = open(server);
    server.failures.push('nan', 'short');
    await assert.rejects(embedder.embed(['a'], 'query'), code('EMBEDDING_INVALID'));
    await assert.rejects(embedder.embed(['a'], 'query'), code('EMBEDDING_INVALID'));
    await using other = open(server, { dimension: 8 });
    await assert.rejects(other.embed(['a'], 'query'), code('EMBEDDING_INVALID'));
  });
}

test('onnx: a text longer than the model reads counts to its end', async () => {
  await using embedder = createOnnxEmbedder({ maxTokens: 32, yields: false });
  const filler = 'plain words about nothing much at all here '.repeat(4);
  const [without, withTail, tail] = await embedder.embed(
    [filler, `${filler} ${'volcanic eruption ash cloud lava '.repeat(4)}`, 'volcanic eruption'],
    'document',
  );
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  assert.ok(dot(withTail!, tail!) > dot(without!, tail!) + 0.2);
});

test('onnx: a folder without a model is MODEL_MISSING', () => {
  assert.throws(() => createOnnxEmbedder({ path: import.meta.dirname }), code('MODEL_MISSING'));
});

test('onnx: a query is embedded while documents wait', async () => {
  await using embedder = createOnnxEmbedder();
  await embedder.embed(['warm'], 'query');
  let done = false;
  const bulk = embedder
    .embed(
      Array.from({ length: 24 }, (_, at) => `${at} ${'some words to read '.repeat(60)}`),
      'document',
    )
    .then(() => {
      done = true;
    });
  await embedder.embed(['quick question'], 'query');
  assert.equal(done, false);
  await bulk;
});
