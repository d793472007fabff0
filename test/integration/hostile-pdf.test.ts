/** PDFs that are small and unpack to more than the machine has. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { createExtractPool, type ExtractPool } from '../../src/pipeline/extract/pool.ts';
import { makePdf, onePage, packBomb, stream } from '../support/hostile-pdf.ts';

const TWICE = '/Filter [/FlateDecode /FlateDecode]';
const bomb = await packBomb(1_500);
const zeros = deflateSync(Buffer.alloc(64 * 1024 * 1024));

/** What each must end with: stopped by a limit, or read in spite of its size. */
const PDFS: Record<string, Buffer> = {
  'a page that unpacks to 1.5 GB': makePdf(onePage(stream(TWICE, bomb))),
  'arrays inside each other': makePdf(onePage(stream('', Buffer.alloc(2_000_000, '[')))),
  'dictionaries inside each other': makePdf([`<< /Type /Catalog /Pages ${'<< /A '.repeat(300_000)}`]),
  'a table of two thousand million objects': makePdf([
    stream('/Type /XRef /Size 2000000000 /W [1 2 1] /Index [0 2000000000] /Root 1 0 R /Filter /FlateDecode', zeros),
  ]),
  'a stream of a thousand million objects': makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    stream(`/Type /ObjStm /N 1000000000 /First 1000000 ${TWICE}`, bomb),
  ]),
  'a thousand million pages': makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 1000000000 /Kids [${'2 0 R '.repeat(50_000)}] >>`,
  ]),
  'a row of two thousand million columns': makePdf(
    onePage(stream(`/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2000000000 >>`, zeros)),
  ),
  'a picture of 100,000 by 100,000': makePdf(
    onePage(
      Buffer.concat([
        stream('', Buffer.from('q 1 0 0 1 0 0 cm BI /W 100000 /H 100000 /BPC 8 /CS /RGB ID ')),
        Buffer.alloc(1_000_000, 'x'),
      ]),
    ),
  ),
};
const ENDS = ['PARSE_MEMORY', 'PARSE_TIMEOUT', 'PARSE_FAILED', 'read'];
const GOOD = '<html lang="en"><title>Good</title><p>Some words that make a page worth its while, and a few more.</p>';

const raw = (contentType: string, body: Uint8Array) => ({ url: 'https://example.com/a.pdf', contentType, body });
const outcome = (pool: ExtractPool, body: Buffer) =>
  pool.extract(raw('application/pdf', body)).then(
    () => 'read',
    (error: { code: string }) => error.code,
  );

test('a hostile PDF ends alone, and its memory with it', { skip: process.platform !== 'linux' }, async (t) => {
  await using pool = createExtractPool({ threads: 1, timeoutMs: 15_000, memoryMb: 128 });
  const peak = watchTree();
  for (const [name, body] of Object.entries(PDFS)) {
    const ends: string[] = [];
    const hostile = outcome(pool, body).then((end) => ends.push(end));
    const good = await pool.extract(raw('text/html', Buffer.from(GOOD)));
    assert.equal(good.title, 'Good', `other pages go on beside ${name}`);
    await hostile;
    assert.ok(ENDS.includes(ends[0]!), `${name}: ${ends[0]}`);
    t.diagnostic(`${name}: ${body.length} bytes, ${ends[0]}, ${Math.round(peak.read())} MB`);
    if (name.includes('1.5 GB')) assert.match(ends[0]!, /PARSE_(MEMORY|TIMEOUT)/);
  }
  assert.ok(peak.end() < 800, `the processes grew by ${Math.round(peak.end())} MB`);
});

/** By how many megabytes this process and all below it have grown, at most. */
function watchTree(): { read(): number; end(): number } {
  let peak = 0;
  const start = treeMb();
  const timer = setInterval(() => {
    peak = Math.max(peak, treeMb() - start);
  }, 20);
  return {
    read: () => peak,
    end() {
      clearInterval(timer);
      return peak;
    },
  };
}

function treeMb(): number {
  const parents = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, 'latin1');
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
      sizes.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It ended meanwhile.
    }
  }
  let sum = 0;
  for (const [pid, mb] of sizes) {
    let up: number | undefined = pid;
    while (up !== undefined && up !== process.pid && up > 1) up = parents.get(up);
    if (up === process.pid) sum += mb;
  }
  return sum;
}
