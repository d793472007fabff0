import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { AppError } from '../errors.ts';
import { profilesPath, readProfiles, writeProfiles } from './profiles.ts';
import { chooseRemote } from './remote.ts';

const KNOWN = {
  current: 'work',
  profiles: { work: { server: 'https://work', key: 'k-work' }, home: { server: 'https://home', key: 'k-home' } },
};

describe('the server a command works on', () => {
  for (const [name, given, env, profiles, expected] of [
    ['nothing is named: this machine', {}, {}, { profiles: {} }, undefined],
    ['the profile in use', {}, {}, KNOWN, ['https://work', 'k-work']],
    [
      'the environment over the profile',
      {},
      { CRAWL4R_SERVER: 'https://env', CRAWL4R_KEY: 'k-env' },
      KNOWN,
      ['https://env', 'k-env'],
    ],
    ["a profile's key stays with its server", {}, { CRAWL4R_SERVER: 'https://env' }, KNOWN, ['https://env', undefined]],
    ['a profile of the environment', {}, { CRAWL4R_PROFILE: 'home' }, KNOWN, ['https://home', 'k-home']],
    [
      'options over the environment',
      { server: 'https://opt' },
      { CRAWL4R_SERVER: 'https://env', CRAWL4R_KEY: 'k-env' },
      KNOWN,
      ['https://opt', 'k-env'],
    ],
    ['a key of its own', { server: 'https://opt', key: 'k' }, { CRAWL4R_KEY: 'k-env' }, KNOWN, ['https://opt', 'k']],
    [
      '--profile over the environment, key too',
      { profile: 'home' },
      { CRAWL4R_SERVER: 'https://env', CRAWL4R_KEY: 'k-env' },
      KNOWN,
      ['https://home', 'k-home'],
    ],
    ['--profile local: this machine', { profile: 'local' }, { CRAWL4R_SERVER: 'https://env' }, KNOWN, undefined],
    [
      'an empty variable is none',
      {},
      { CRAWL4R_SERVER: '', CRAWL4R_KEY: '', CRAWL4R_PROFILE: '' },
      KNOWN,
      ['https://work', 'k-work'],
    ],
  ] as const)
    it(name, () => {
      const remote = chooseRemote(given, env, () => profiles);
      assert.deepEqual(remote === undefined ? undefined : [remote.server, remote.key], expected);
    });

  it('a profile that is not there, and a key without a server, are refused with a hint', () => {
    for (const given of [{ profile: 'nowhere' }, { profile: 'constructor' }, { key: 'k' }])
      assert.throws(
        () => chooseRemote(given, {}, () => ({ profiles: {} })),
        (error: AppError) => error.code === 'USAGE' && error.hint !== undefined,
      );
  });
});

describe('the file of profiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-profiles-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'new', 'crawl4r', 'config.json');

  it('is in the folder of XDG, or below .config; a path that is not absolute does not count', () => {
    assert.equal(profilesPath({ XDG_CONFIG_HOME: '/x', HOME: '/h' }), '/x/crawl4r/config.json');
    assert.equal(profilesPath({ HOME: '/h' }), '/h/.config/crawl4r/config.json');
    assert.equal(profilesPath({ XDG_CONFIG_HOME: 'x', HOME: '/h' }), '/h/.config/crawl4r/config.json');
  });

  it('is closed to others, and so is its folder', () => {
    assert.deepEqual(readProfiles(path), { profiles: {} });
    writeProfiles(KNOWN, path);
    assert.deepEqual(readProfiles(path), KNOWN);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  });

  it('that others can read is refused, and the hint mends it', () => {
    for (const mode of [0o644, 0o640, 0o604, 0o620]) {
      chmodSync(path, mode);
      assert.throws(
        () => readProfiles(path),
        (error: AppError) => error.code === 'CONFIG_INVALID' && error.hint!.includes(`chmod 600 ${path}`),
      );
    }
    chmodSync(path, 0o600);
    assert.deepEqual(readProfiles(path), KNOWN);
  });

  it('that is damaged says so, and is left as it is', () => {
    for (const text of ['', '{', '[]', '{"profiles": {"a": {}}}', '{"profiles": {}, "more": 1}', '"\\u0000"']) {
      writeFileSync(path, text);
      assert.throws(() => readProfiles(path), { code: 'CONFIG_INVALID' });
      assert.equal(readFileSync(path, 'utf8'), text);
    }
  });

  it('that cannot be written says so', () => {
    mkdirSync(join(folder, 'file'));
    writeFileSync(join(folder, 'file', 'crawl4r'), '');
    assert.throws(() => writeProfiles(KNOWN, join(folder, 'file', 'crawl4r', 'config.json')), {
      code: 'CONFIG_INVALID',
    });
  });
});
