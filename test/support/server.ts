import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createEmbeddedDatabase } from '../../src/drivers/database/embedded.ts';
import type { Database } from '../../src/ports/database.ts';

/**
 * The PostgreSQL server of the tests. The test run starts one and names it in TEST_DATABASE_URL; a file that is run by
 * itself shares one in a temporary folder, which the last of them stops.
 */
export interface TestServer {
  url: string;
  release(): void;
}

const LINGER_MS = 300;
let users = 0;
let started: Promise<Database> | undefined;

export async function acquireServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined) return { url: given, release: () => {} };
  users++;
  const dataDir = join(tmpdir(), `crawl4r-test-${userInfo().uid}`);
  started ??= createEmbeddedDatabase({ dataDir, poolSize: 1, durable: false });
  const database = await started;
  return { url: database.url, release };
}

// The next test of the same file mostly needs it again at once: stopping waits a moment.
function release(): void {
  users--;
  setTimeout(() => {
    if (users > 0 || started === undefined) return;
    const last = started;
    started = undefined;
    void last.then((database) => database[Symbol.asyncDispose]());
  }, LINGER_MS);
}

/** The same server, another database on it. */
export function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}
