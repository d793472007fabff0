import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Ended, runProgram } from '../support/instance.ts';

const root = resolve(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0;
const canMount = isRoot && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** A code, a sentence, a hint, and nothing of our insides. */
function saysWhy({ code, out, talk }: Ended, errorCode: string): void {
  assert.equal(code, 1, talk);
  assert.equal(out, '');
  assert.match(talk, new RegExp(`^crawl4r: .{10,} \\(${errorCode}\\)\\n  \\S.{8,}\\n$`));
  assert.doesNotMatch(talk, /\.ts:\d|\n\s+at /);
}

describe('a start that cannot work', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-bad-'));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('says that the port is busy', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    try {
      saysWhy(
        await runProgram(['api'], { DATA_DIR: join(folder, 'busy'), PORT: String(port), LOG_LEVEL: 'silent' }),
        'PORT_BUSY',
      );
    } finally {
      server.close();
    }
  });

  it('says that the data folder is not one', async () => {
    writeFileSync(join(folder, 'file'), '');
    for (const command of [['up'], ['up', '--demo'], ['worker'], ['status']])
      saysWhy(await runProgram(command, { DATA_DIR: join(folder, 'file/below') }), 'DATA_DIR_UNUSABLE');
  });

  it('says that the data folder cannot be written to', { skip: isRoot && 'root may write anywhere' }, async () => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o555);
    saysWhy(await runProgram(['up'], { DATA_DIR: locked }), 'DATA_DIR_UNUSABLE');
  });

  it('says that a file cannot be written before any page is fetched', async () => {
    const out = join(folder, 'nowhere/pages.jsonl');
    const ended = await runProgram(['crawl', 'https://example.com', '--out', out], { DATA_DIR: join(folder, 'out') });
    saysWhy({ ...ended, code: ended.code === 2 ? 1 : ended.code }, 'USAGE');
  });

  it('says that others would read along, before anything is started, and what to do', async () => {
    const open = { HOST: '0.0.0.0', LOG_LEVEL: 'silent' };
    for (const command of [['up', '--demo'], ['api']]) {
      const ended = await runProgram(command, { ...open, DATA_DIR: join(folder, 'open') });
      saysWhy(ended, 'BIND_INSECURE');
      assert.match(ended.talk, /HOST=0\.0\.0\.0.*without encryption.*HTTP__TRUST_PROXY.*--insecure/s);
    }
    assert.equal(existsSync(join(folder, 'open')), false);
  });

  it('starts on an open address when the owner insists', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
    const { port } = server.address() as { port: number };
    // A busy port ends the start, after the check that would have ended it before.
    const env = { HOST: '0.0.0.0', PORT: String(port), LOG_LEVEL: 'silent', DATA_DIR: join(folder, 'insists') };
    try {
      saysWhy(await runProgram(['api', '--insecure'], env), 'PORT_BUSY');
    } finally {
      server.close();
    }
  });

  it('says that a setting is wrong, and which', async () => {
    const ended = await runProgram(['up'], { DATA_DIR: join(folder, 'set'), PORT: 'eleven' });
    saysWhy(ended, 'CONFIG_INVALID');
    assert.match(ended.talk, /PORT/);
  });

  it('says that the disk is full', { skip: !canMount && 'a small disk needs root and mount namespaces' }, () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const script = `mount -t tmpfs -o size=8m,mode=755 none "$1" && DATA_DIR="$1/data" exec "$2/bin/crawl4r" up --demo`;
    const { status, stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', disk, root], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    saysWhy({ code: status, out: stdout, talk: stderr }, 'DISK_FULL');
  });
});
