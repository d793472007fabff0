import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isDemoSite } from './server.ts';
import { openSharedSite } from './shared-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'crawl4r-demo-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('a demo site that is shared', () => {
  it('is one, however many open it at once, and has its old port again', async () => {
    const dataDir = join(folder, 'one');
    const sites = await Promise.all([openSharedSite(dataDir), openSharedSite(dataDir), openSharedSite(dataDir)]);
    const origins = new Set(sites.map(({ origin }) => origin));
    assert.equal(origins.size, 1);
    for (const site of sites) await site[Symbol.asyncDispose]();
    await using again = await openSharedSite(dataDir);
    assert.ok(origins.has(again.origin));
  });

  it('goes on when the process that served it ends', async () => {
    const dataDir = join(folder, 'two');
    const first = await openSharedSite(dataDir);
    await using second = await openSharedSite(dataDir);
    await first[Symbol.asyncDispose]();
    const port = Number(new URL(second.origin).port);
    while (!(await isDemoSite(port))) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('moves when something else took its port', async () => {
    const dataDir = join(folder, 'three');
    await (await openSharedSite(dataDir))[Symbol.asyncDispose]();
    const file = join(dataDir, 'demo-port');
    const other = createServer((socket) => socket.end('no\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    writeFileSync(file, String(port));
    await using site = await openSharedSite(dataDir);
    assert.notEqual(new URL(site.origin).port, String(port));
    assert.equal(readFileSync(file, 'utf8'), new URL(site.origin).port);
    other.close();
  });
});
