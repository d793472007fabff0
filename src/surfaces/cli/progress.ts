import type { Crawl } from '../../operations/crawls/crawl.ts';

/** Shows how a crawl goes: one line that changes on a terminal, a new line now and then elsewhere. */
export interface ProgressView {
  show(crawl: Pick<Crawl, Shown>): void;
  end(): void;
}
type Shown = 'status' | 'progress' | 'pages_discovered' | 'pages_crawled' | 'pages_failed' | 'pages_skipped';

const WIDTH = 24;
const PLAIN_EVERY_MS = 2_000;

export function createProgressView(
  stream: NodeJS.WriteStream,
  now: () => number = () => performance.now(),
): ProgressView {
  let last = '';
  let lastAt = Number.NEGATIVE_INFINITY;
  const tty = stream.isTTY === true;
  return {
    show(crawl) {
      const words = describe(crawl);
      if (words === last) return;
      if (tty) stream.write(`\r\u001b[K${bar(crawl.progress)} ${words}`);
      else if (now() - lastAt >= PLAIN_EVERY_MS) stream.write(`${words}\n`);
      else return;
      last = words;
      lastAt = now();
    },
    end() {
      if (tty && last !== '') stream.write('\r\u001b[K');
    },
  };
}

const bar = (percent: number) => {
  const full = Math.round((percent / 100) * WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
};

export function describe(crawl: Pick<Crawl, Shown>): string {
  const parts = [
    `${crawl.progress}%`,
    `${crawl.pages_crawled} fetched`,
    `${crawl.pages_discovered} found`,
    ...(crawl.pages_skipped > 0 ? [`${crawl.pages_skipped} skipped`] : []),
    ...(crawl.pages_failed > 0 ? [`${crawl.pages_failed} failed`] : []),
  ];
  return parts.join(', ');
}
