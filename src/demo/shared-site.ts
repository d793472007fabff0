import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DemoSite, isDemoSite, startDemoSite } from './server.ts';

export interface SharedSite extends AsyncDisposable {
  readonly origin: string;
  /** This process serves it. */
  readonly isServer: boolean;
}

const TAKE_OVER_MS = 1_000;

/**
 * The demo site of a data folder, on the port it had before: a crawl of it that was cut short goes on where it was.
 * Several processes on one folder share it: one serves it, and when that one ends another takes its port over.
 */
export async function openSharedSite(dataDir: string): Promise<SharedSite> {
  const file = join(dataDir, 'demo-port');
  mkdirSync(dataDir, { recursive: true });
  for (;;) {
    const known = readPort(file);
    if (known === undefined) {
      const site = await startDemoSite();
      if (writePort(file, site.port, 'wx')) return serve(site);
      // Another process was quicker.
      await site[Symbol.asyncDispose]();
      continue;
    }
    const site = await startDemoSite({ port: known }).catch(() => undefined);
    if (site !== undefined) return serve(site);
    if (await isDemoSite(known)) return follow(known);
    const moved = await startDemoSite();
    writePort(file, moved.port, 'w');
    return serve(moved);
  }
}

const serve = (site: DemoSite): SharedSite => ({
  origin: site.origin,
  isServer: true,
  [Symbol.asyncDispose]: () => Promise.resolve(site[Symbol.asyncDispose]()),
});

/** The origin of the site that some process serves for this data folder now. */
export async function findSharedSite(dataDir: string): Promise<string | undefined> {
  const port = readPort(join(dataDir, 'demo-port'));
  return port !== undefined && (await isDemoSite(port)) ? `http://127.0.0.1:${port}` : undefined;
}

/** Uses another process's site, and serves it from here once that process has gone. */
function follow(port: number): SharedSite {
  let own: DemoSite | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const take = async () => {
    own ??= await startDemoSite({ port }).catch(() => undefined);
  };
  const timer = setInterval(() => {
    last = last.then(take);
  }, TAKE_OVER_MS);
  return {
    origin: `http://127.0.0.1:${port}`,
    get isServer() {
      return own !== undefined;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
      await own?.[Symbol.asyncDispose]();
    },
  };
}

function readPort(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}

/** False when `flag` forbids to replace a file that is there and holds a port. */
function writePort(file: string, port: number, flag: 'w' | 'wx'): boolean {
  try {
    writeFileSync(file, String(port), { flag });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readPort(file) === undefined && writePort(file, port, 'w');
  }
}
