import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openKeyStore } from './secret-keys.ts';

describe('the key file', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keys-'));
  const file = join(dataDir, 'secrets.key');
  const store = openKeyStore({ dataDir, secrets: {} });
  const mode = () => statSync(file).mode & 0o777;
  after(() => rmSync(dataDir, { recursive: true }));

  it('is made once, for its owner alone', () => {
    assert.deepEqual(store.read(), []);
    assert.deepEqual([store.create(), store.create()], [true, false]);
    assert.equal(mode(), 0o600);
    assert.equal(store.read()[0]!.length, 32);
    assert.deepEqual(readdirSync(dataDir), ['secrets.key'], 'no drafts are left');
  });

  it('is taken back from others who may read it', () => {
    chmodSync(file, 0o644);
    store.read();
    assert.equal(mode(), 0o600);
  });

  it('takes several keys, first the one that seals', () => {
    const keys = [randomBytes(32), randomBytes(32)];
    store.write(keys);
    assert.deepEqual(store.read(), keys);
    assert.equal(mode(), 0o600);
    assert.equal(readFileSync(file, 'utf8').trim().split('\n').length, 2);
  });

  it('with anything else in it is refused', () => {
    for (const text of [
      'short',
      randomBytes(31).toString('base64'),
      `${randomBytes(32).toString('base64')}x`,
      '£'.repeat(43),
    ]) {
      writeFileSync(file, `${text}\n`);
      assert.throws(() => store.read(), { code: 'SECRETS_KEY_INVALID' }, text);
    }
  });

  it('is not made where a setting names it or gives the keys', () => {
    const named = openKeyStore({ dataDir, secrets: { keyFile: join(dataDir, 'mounted.key') } });
    assert.deepEqual([named.create(), named.read()], [false, []]);
    const [a, b] = [randomBytes(32), randomBytes(32)];
    const given = openKeyStore({ dataDir, secrets: { key: `${a.toString('base64')},${b.toString('base64url')}` } });
    assert.deepEqual([given.create(), given.read()], [false, [a, b]]);
    assert.throws(() => given.write([a]), { code: 'STATE_CONFLICT' });
    assert.throws(() => openKeyStore({ dataDir, secrets: { key: 'word' } }), { code: 'SECRETS_KEY_INVALID' });
  });
});
