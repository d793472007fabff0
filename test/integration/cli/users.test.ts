import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ensureFirstAdmin } from '../../../src/operations/access/ensure-first-admin.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { writeServerFile } from '../../../src/surfaces/server-file.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { runCommand } from '../../support/command.ts';

describe('crawl4r users', () => {
  let api: TestApi;
  let origin: string;
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-users-'));
  before(async () => {
    api = await createTestApi();
    await ensureFirstAdmin(api.app);
    ({ origin } = await listen(api.server, { host: '127.0.0.1', port: 0 }));
    writeServerFile(folder, { origin, pid: process.pid, key: api.keys.admin });
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  const users = (...args: string[]) => runCommand(['users', ...args], { DATA_DIR: folder });

  it('invites, renews, changes, resets and removes, by address', async () => {
    const invited = await users('invite', 'Ann@example.com', '--role', 'operator');
    assert.equal(invited.code, 0, invited.stderr);
    assert.match(invited.stdout, new RegExp(`^${origin}/login#invite=[\\w-]{43}\n$`), 'the link alone on stdout');
    const again = await users('invite', 'ann@example.com', '--json');
    assert.notEqual(JSON.parse(again.stdout).url, invited.stdout.trim());
    const list = await users();
    assert.match(list.stdout, /operator +invited +Ann@example\.com/);
    assert.equal((await users('role', 'ann@example.com', 'viewer')).code, 0);
    const shown = JSON.parse((await users('list', '--role', 'viewer', '--json')).stdout);
    assert.deepEqual(
      shown.map(({ email, role }: { email: string; role: string }) => [email, role]),
      [['Ann@example.com', 'viewer']],
    );
    const reset = await users('reset', shown[0].id);
    assert.match(reset.stdout, /\/login#reset=/);
    assert.equal((await users('remove', 'ann@example.com')).code, 0);
    assert.match((await users('remove', 'ann@example.com')).stderr, /NOT_FOUND/);
  });

  it('says what does not fit', async () => {
    const last = await users('remove', 'admin@localhost');
    assert.deepEqual([last.code, /LAST_ADMIN/.test(last.stderr)], [1, true], last.stderr);
    for (const args of [['frobnicate'], ['invite'], ['role', 'a@b.c'], ['role', 'admin@localhost', 'king']])
      assert.equal((await users(...args)).code, 2, args.join(' '));
  });
});
