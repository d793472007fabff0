import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createApp } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load.ts';
import { AppError } from '../../src/errors.ts';
import { checkEngines } from '../../src/operations/admin/check-engines.ts';
import { runCommand } from '../support/command.ts';
import { createEngine } from '../support/engine.ts';

describe('engines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engines-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const asked = {
    REDIS__URL: 'redis://:s3cret@127.0.0.1:1',
    RABBITMQ__URL: 'amqp://u:s3cret@127.0.0.1:1',
    QDRANT__URL: 'http://127.0.0.1:1',
    ELASTICSEARCH__URL: 'http://127.0.0.1:1',
    S3__ENDPOINT: 'http://127.0.0.1:1',
    S3__BUCKET: 'bucket',
    CRAWL4AI__URL: 'http://127.0.0.1:1',
  };
  for (const [name, value] of Object.entries(asked))
    it(`${name} without a driver stops the start before anything is opened`, async () => {
      const dataDir = join(folder, name);
      const { settings } = loadSettings({ APP_ENV: 'test', DATA_DIR: dataDir, [name]: value });
      await assert.rejects(createApp(settings), (error) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, 'ENGINE_NOT_AVAILABLE');
        assert.ok(error.message.includes(name) && !error.message.includes('s3cret'), error.message);
        assert.ok(error.hint !== undefined);
        return true;
      });
      assert.equal(existsSync(join(dataDir, 'postgres')), false);
    });

  it('all settings without a driver are named at once, and doctor repeats that', async () => {
    const outcome = await runCommand(['doctor', '--json'], { DATA_DIR: join(folder, 'doctor'), ...asked });
    assert.equal(outcome.code, 1, outcome.stderr);
    const { ok, engines } = JSON.parse(outcome.stdout);
    assert.equal(ok, false);
    assert.deepEqual([engines[0].name, engines[0].engine, engines[0].status], ['start', 'none', 'down']);
    for (const name of Object.keys(asked)) assert.ok(engines[0].detail.includes(name), engines[0].detail);
    assert.match(engines[0].detail, /ENGINE_NOT_AVAILABLE/);
  });

  it('are named by their drivers, and what does not answer says so', async () => {
    await using engine = await createEngine({ CACHE__MAX_MB: '7' });
    const { app } = engine;
    const reports = await checkEngines(app, { deep: true });
    const told = new Map(reports.map((report) => [report.name, report]));
    assert.deepEqual(
      [...told].filter(([name]) => name !== 'browser').map(([name, { engine: its, status }]) => [name, its, status]),
      [
        ['database', 'postgres', 'ok'],
        ['cache', 'memory', 'ok'],
        ['pubsub', 'postgres', 'ok'],
        ['dispatch', 'postgres', 'ok'],
        ['vectors', 'lancedb', 'ok'],
        ['fulltext', 'lancedb', 'ok'],
        ['blobs', 'files', 'ok'],
        ['embedder', 'onnx', 'ok'],
        ['reranker', 'none', 'off'],
      ],
    );
    assert.match(told.get('cache')!.detail, /of 7 MB/);
    assert.match(told.get('database')!.version!, /^\d+/);
    for (const { ms, status } of reports) assert.ok(status === 'off' || ms > 0);

    const down = async () => {
      throw new AppError('ENGINE_DOWN', 'gone fishing');
    };
    Object.assign(app.cache, { check: down });
    const [cache] = (await checkEngines(app)).filter(({ name }) => name === 'cache');
    assert.deepEqual([cache!.engine, cache!.status], ['memory', 'down']);
    assert.match(cache!.detail, /gone fishing \(ENGINE_DOWN\)/);
  });

  it('settings that are set change what doctor says only through a driver', async () => {
    await using engine = await createEngine({ FULLTEXT__DRIVER: 'postgres' });
    const [fulltext] = (await checkEngines(engine.app)).filter(({ name }) => name === 'fulltext');
    assert.equal(fulltext!.engine, 'postgres');
  });
});
