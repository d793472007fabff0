import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extractPage } from '../pipeline/extract/extract-page.ts';
import { hammingDistance } from '../pipeline/extract/simhash.ts';
import { expected } from './expected.ts';
import { PRODUCTS } from './products.ts';
import { answer } from './site.ts';

const origin = 'http://127.0.0.1:1';
const visit = (path: string, hits = 9, day = 0) => answer({ path, origin, day, hits });
const extract = (path: string) => {
  const { type, body } = visit(path);
  return extractPage({ url: origin + path, contentType: type, body: Buffer.from(body) });
};

describe('odd pages of the demo site', () => {
  it('moves, misses, stalls and heals', () => {
    assert.deepEqual([visit('/old-handbook').status, visit('/old-handbook').headers?.location], [301, '/docs/']);
    assert.equal(visit('/missing').status, 404);
    assert.deepEqual([visit('/busy', 0).status, visit('/busy', 0).headers?.['retry-after']], [429, '1']);
    assert.equal(visit('/busy', 1).status, 200);
    assert.deepEqual(
      [0, 1, 2].map((hits) => visit('/flaky', hits).status),
      [500, 500, 200],
    );
  });

  it('speaks Latin-1, German and PDF', async () => {
    const latin = visit('/notes/field-test');
    assert.ok(latin.body instanceof Buffer && latin.body.includes(Buffer.from([0x5a, 0xfc, 0x72])));
    assert.match((await extract('/notes/field-test')).text, /Café Zürich .* Logroño/s);
    assert.equal((await extract('/de/erste-schritte')).language, 'de');
    assert.equal((await extract('/docs/wren')).language, 'en');
    const pdf = visit('/files/field-manual.pdf').body.toString('latin1');
    assert.match(pdf, /^%PDF-1\.4\n/);
    const start = Number(/startxref\n(\d+)/.exec(pdf)![1]);
    assert.equal(pdf.slice(start, start + 4), 'xref');
    for (const [, offset] of pdf.matchAll(/^(\d{10}) 00000 n /gm))
      assert.match(pdf.slice(Number(offset)), /^\d+ 0 obj/);
  });

  it('has reports that are nearly the same, and no other pages that are', async () => {
    const { crawled, nearDuplicates } = expected(origin);
    const reports = await Promise.all(nearDuplicates[0]!.map((url) => extract(url.slice(origin.length))));
    for (const report of reports) assert.ok(hammingDistance(report.simhash, reports[0]!.simhash) <= 3);
    const pages: { url: string; simhash: string }[] = [];
    for (const url of crawled.filter((each) => !each.endsWith('.pdf')))
      pages.push({ url, simhash: (await extract(url.slice(origin.length))).simhash });
    const close = pages.flatMap((page, index) =>
      pages
        .slice(index + 1)
        .flatMap((other) => (hammingDistance(page.simhash, other.simhash) <= 3 ? [[page.url, other.url]] : [])),
    );
    assert.deepEqual(close, []);
  });

  it('has a calendar without end in both directions', () => {
    let path = '/calendar/2026/06';
    const seen = new Set<string>();
    for (let step = 0; step < 40; step++) {
      seen.add(path);
      const hrefs = [
        ...visit(path)
          .body.toString()
          .matchAll(/href="(\/calendar\/\d{4}\/\d{2})"/g),
      ].map(([, href]) => href!);
      path = hrefs.find((href) => !seen.has(href))!;
      assert.equal(visit(path).status, 200);
    }
    assert.equal(seen.size, 40);
    assert.equal(visit('/calendar/2026/13').status, 404);
  });

  it('shows nothing of the live page without a script', async () => {
    assert.ok(!visit('/live/meadow').body.toString().includes('quicksilver-thistle'));
    assert.ok(visit('/live/data.json').body.toString().includes('quicksilver-thistle'));
    assert.equal((await extract('/live/meadow')).needsScripts, true);
  });

  it('asks not to be indexed or followed, in the page and in a header', async () => {
    assert.equal((await extract('/notes/checklist')).metadata.noindex, true);
    assert.equal(visit('/notes/rota').headers?.['x-robots-tag'], 'noindex');
    assert.equal((await extract('/notes/guests')).metadata.nofollow, true);
  });

  it('gives every product a picture and a valid GTIN', () => {
    for (const { sku, gtin } of PRODUCTS) {
      assert.equal(visit(`/images/${sku.toLowerCase()}.png`).body.slice(1, 4).toString(), 'PNG');
      const sum = [...gtin].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
      assert.equal(sum % 10, 0, gtin);
      assert.equal(gtin.length, 13);
    }
    assert.equal(new Set(PRODUCTS.map(({ gtin }) => gtin)).size, PRODUCTS.length);
  });
});
