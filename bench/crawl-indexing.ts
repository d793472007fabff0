import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { PartFigures, PartOptions } from './indexing-peer.ts';

/**
 * A crawl beside a full index queue, against the same crawl alone; and how soon documents are searchable when nothing else
 * runs. Each once with embedding that steps back and once at usual priority. All parts of a round run one after the other, and ratios
 * are taken within a round: of a machine that is faster in one minute than in the next they say more than seconds do.
 */
export function measureIndexing(origin: string, pages: number, documents: number, rounds: number): object {
  const all = Array.from({ length: rounds }, (_, at) => {
    const run = (part: Partial<PartOptions>) => runPart({ origin, pages: 0, documents: 0, yields: true, ...part });
    const alone = run({ pages });
    const beside = run({ pages, documents });
    const besideOld = run({ pages, documents, yields: false });
    // The queue has to outlast a crawl; a fifth of it is enough to estimate how long it takes.
    const few = Math.ceil(documents / 5);
    const index = run({ documents: few });
    const indexOld = run({ documents: few, yields: false });
    const round = {
      alone_pages_per_second: alone.pages_per_second!,
      beside_pages_per_second: beside.pages_per_second!,
      crawl_keeps: ratio(beside.pages_per_second!, alone.pages_per_second!),
      query_p50_ms: beside.query_p50_ms!,
      query_p95_ms: beside.query_p95_ms!,
      searchable_seconds: index.searchable_seconds!,
      searchable_growth: ratio(index.searchable_seconds!, indexOld.searchable_seconds!),
      usual_priority: {
        beside_pages_per_second: besideOld.pages_per_second!,
        crawl_keeps: ratio(besideOld.pages_per_second!, alone.pages_per_second!),
        query_p95_ms: besideOld.query_p95_ms!,
        searchable_seconds: indexOld.searchable_seconds!,
      },
      load: loadavg()[0]!,
    };
    console.error(`round ${at + 1}: ${JSON.stringify(round)}`);
    return round;
  });
  return all.toSorted((a, b) => a.crawl_keeps - b.crawl_keeps)[all.length >> 1]!;
}

const ratio = (a: number, b: number) => Math.round((a / b) * 100) / 100;

function runPart(options: PartOptions): PartFigures {
  const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'];
  const { status, stdout } = spawnSync(
    process.execPath,
    [...flags, join(import.meta.dirname, 'indexing-peer.ts'), JSON.stringify(options)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '4' },
      timeout: 600_000,
    },
  );
  if (status !== 0) throw new Error(`a part ended with ${status}: ${JSON.stringify(options)}`);
  const figures = JSON.parse(String(stdout).trim().split('\n').at(-1)!) as PartFigures;
  console.error(`${JSON.stringify(options)} ${JSON.stringify(figures)}`);
  return figures;
}
