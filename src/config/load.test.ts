import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { describe, test } from 'node:test';
import { AppError } from '../errors.ts';
import { describeSettings } from './describe.ts';
import { loadSettings } from './load.ts';
import { envName, propertyName } from './names.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadSettings(env);
  } catch (error) {
    assert(error instanceof AppError);
    assert.equal(error.code, 'CONFIG_INVALID');
    return error.details?.problems as string[];
  }
  return [];
}

function withFile(content: string, work: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-config-'));
  try {
    const path = join(folder, 'settings.json');
    writeFileSync(path, content);
    work(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('settings', () => {
  test('with nothing set everything is embedded, on loopback, in one folder', () => {
    const { settings, warnings } = loadSettings({});
    assert.equal(settings.host, '127.0.0.1');
    assert.equal(settings.port, 53001);
    assert.equal(settings.database.postgresUrl, undefined);
    assert.equal(settings.redis.url, undefined);
    assert(isAbsolute(settings.dataDir));
    assert.deepEqual(warnings, []);
  });

  test('the environment wins over the file, the file over the default', () => {
    withFile('{"port": 4000, "fetch": {"timeoutMs": 5, "maxRedirects": 2}, "languages": ["de"]}', (path) => {
      const { settings, sources } = loadSettings({ CONFIG_FILE: path, FETCH__TIMEOUT_MS: '7', LANGUAGES: 'en, fr' });
      assert.equal(settings.port, 4000);
      assert.equal(settings.fetch.timeoutMs, 7);
      assert.equal(settings.fetch.maxRedirects, 2);
      assert.deepEqual(settings.languages, ['en', 'fr']);
      assert.equal(sources.get('FETCH__TIMEOUT_MS'), 'environment');
      assert.equal(sources.get('FETCH__MAX_REDIRECTS'), 'file');
      assert.equal(sources.get('FETCH__MAX_BYTES'), undefined);
    });
  });

  test('every problem is listed at once, by its environment name', () => {
    const problems = problemsOf({
      PORT: 'many',
      FETCH__TIMEOUT_MS: '-1',
      LOG_LEVEL: 'loud',
      BROWSER__SANDBOX: 'maybe',
    });
    assert.deepEqual(problems.map((problem) => problem.split(':')[0]).sort(), [
      'BROWSER__SANDBOX',
      'FETCH__TIMEOUT_MS',
      'LOG_LEVEL',
      'PORT',
    ]);
    assert.equal(problemsOf({ PORT: '65536' }).length, 1);
  });

  test('the entries of lists are checked at start', () => {
    const bad = {
      LANGUAGES: 'en, english please',
      JOB__RETRY_DELAYS_S: '1, soon',
      JOB__DEAD_LETTER_DELAYS_S: '-5',
      HTTP__TRUST_PROXY: '10.0.0.0/33',
      HTTP__HOSTS: 'crawler.example.com:80',
    };
    assert.deepEqual(
      problemsOf(bad)
        .map((problem) => problem.split(':')[0])
        .sort(),
      Object.keys(bad).sort(),
    );
    loadSettings({ LANGUAGES: 'en, pt-BR, *', JOB__RETRY_DELAYS_S: '0.5, 2', HTTP__TRUST_PROXY: '::1, 10.0.0.0/8' });
  });

  test('a problem never repeats a secret', () => {
    const problems = problemsOf({ DATABASE__POSTGRES_URL: '   ', PORT: 'hunter2' });
    assert.doesNotMatch(problems.join(), /hunter2/);
  });

  test('a name that is not ours is warned about when it looks like ours', () => {
    const { warnings } = loadSettings({
      FETCH__TIMEOUT: '1',
      DATABSE__POSTGRES_URL: 'x',
      REDSI__URL: 'x',
      FETCH__TIMEOUT_MS__X: '1',
      SOMEBODY__ELSE: '1',
      PATH: '/bin',
      lower__case: '1',
    });
    assert.equal(warnings.length, 4);
    assert.match(warnings[0]!, /FETCH__TIMEOUT is not a setting; FETCH knows TIMEOUT_MS/);
    assert.match(warnings[1]!, /did you mean DATABASE__/);
    assert.match(warnings[2]!, /did you mean REDIS__/);
  });

  test('a name in the file that means nothing is warned about', () => {
    withFile('{"prot": 1, "fetch": {"slow": true}}', (path) => {
      assert.deepEqual(
        loadSettings({ CONFIG_FILE: path }).warnings.map((warning) => warning.split(' ')[0]),
        ['prot', 'fetch.slow'],
      );
    });
  });

  test('names of the object prototype are not settings', () => {
    const { settings, warnings } = loadSettings({ CONSTRUCTOR__NAME: 'x', FETCH__TO_STRING: 'x', __PROTO__: 'x' });
    assert.equal(typeof settings.fetch.timeoutMs, 'number');
    assert.equal(warnings.length, 1);
  });

  test('a file that is missing or no object is refused', () => {
    assert.throws(() => loadSettings({ CONFIG_FILE: '/nowhere/at/all.json' }), { code: 'CONFIG_INVALID' });
    for (const content of ['{', '[]', '"x"'])
      withFile(content, (path) => assert.throws(() => loadSettings({ CONFIG_FILE: path }), { code: 'CONFIG_INVALID' }));
  });

  test('what is in force can be read by people, without its secrets', () => {
    const list = describeSettings(loadSettings({ DATABASE__POSTGRES_URL: 'postgresql://u:hunter2@h/d', PORT: '81' }));
    assert.doesNotMatch(JSON.stringify(list), /hunter2/);
    const find = (name: string) => list.find((setting) => setting.name === name);
    assert.deepEqual(find('DATABASE__POSTGRES_URL'), {
      name: 'DATABASE__POSTGRES_URL',
      value: '[set]',
      source: 'environment',
    });
    assert.deepEqual(find('PORT'), { name: 'PORT', value: '81', source: 'environment' });
    assert.deepEqual(find('REDIS__URL'), { name: 'REDIS__URL', value: '', source: 'default' });
  });

  test('every name goes to the environment and back', () => {
    for (const { name } of describeSettings(loadSettings({})))
      for (const part of name.split('__')) assert.equal(envName(propertyName(part)), part);
  });
});
