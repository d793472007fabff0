import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRandom, mutatePage } from '../../../test/support/mutate-page.ts';
import { AppError } from '../../errors.ts';
import { extractPage } from './extract-page.ts';
import type { ExtractedPage } from './types.ts';

/** What holds for every page, however broken. */
function checkPage(page: ExtractedPage): void {
  assert.match(page.contentHash, /^[0-9a-f]{64}$/);
  assert.match(page.simhash, /^-?\d+$/);
  assert.ok(page.links.length <= 1000);
  assert.equal(new Set(page.links.map((link) => link.url)).size, page.links.length);
  for (const { url } of page.links) assert.match(url, /^https?:/);
  assert.equal(page.text, page.text.trim());
}

async function tryPage(body: Uint8Array): Promise<void> {
  try {
    checkPage(await extractPage({ url: 'https://example.com/a/b?c=d', contentType: 'text/html', body }));
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, 'CONTENT_TYPE_UNSUPPORTED');
  }
}

test('mutated pages neither crash nor hang', async () => {
  const folder = new URL('./fixtures/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html'));
  const pages = await Promise.all(names.map((name) => readFile(new URL(name, folder))));
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    await tryPage(mutatePage(pages[seed % pages.length]!, random));
  }
});

test('any bytes give a page or a plain refusal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), (bytes) => tryPage(bytes)),
    { numRuns: 200 },
  );
});

test('any mixture of tags and words gives a page', async () => {
  const tag = fc.constantFrom(
    'div',
    'p',
    'ul',
    'li',
    'table',
    'tr',
    'td',
    'a',
    'pre',
    'h2',
    'article',
    'blockquote',
    'span',
    'svg',
    'form',
    'b',
  );
  const piece = fc.oneof(
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name}>`),
    tag.map((name) => `<${name} class="nav comment content" href="/x">`),
    fc.lorem({ maxCount: 12 }),
    fc.string({ maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 80 }), (pieces) => tryPage(Buffer.from(pieces.join(' ')))),
    { numRuns: 200 },
  );
});
