import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { extractPage } from './extract-page.ts';
import { createSiteTemplate } from './template.ts';

const REPEATED = 'Our editors check every fact twice, and readers may write to the desk at any hour of the day.';
const WORDS = 'tide river stone window morning letter garden engine market winter harbour signal'.split(' ');

const paragraph = (seed: number): string =>
  Array.from({ length: 30 }, (_, index) => WORDS[(seed * 7 + index * (seed + 3)) % WORDS.length]).join(' ');
const html = (paragraphs: readonly string[]): string =>
  `<html lang="en"><body><article>${paragraphs.map((text) => `<p>${text}.</p>`).join('')}</article></body></html>`;
const read = (source: string, boilerplate?: readonly string[]) =>
  extractPage(
    { url: 'https://example.com/a', contentType: 'text/html; charset=utf-8', body: Buffer.from(source) },
    boilerplate === undefined ? {} : { boilerplate },
  );

async function learn(pages: number): Promise<string[]> {
  const template = createSiteTemplate();
  for (let page = 0; page < pages; page++)
    template.add((await read(html([paragraph(page), REPEATED, paragraph(page + 50)]))).blocks);
  return createSiteTemplate(template.state()).boilerplate();
}

test('a block on page after page is learned, and goes', async () => {
  const boilerplate = await learn(8);
  assert.equal(boilerplate.length, 1);
  const page = await read(html([paragraph(90), REPEATED, paragraph(91)]), boilerplate);
  assert.doesNotMatch(page.text, /Our editors/);
  assert.match(page.text, new RegExp(paragraph(90)));
});

test('nothing is learned from a few pages, or from one page over and over', async () => {
  assert.deepEqual(await learn(3), []);
  const template = createSiteTemplate();
  for (let visit = 0; visit < 20; visit++) template.add(['a', 'b']);
  assert.deepEqual(template.boilerplate(), []);
});

test('a page keeps its blocks in the count although they are removed from its text', async () => {
  const boilerplate = await learn(8);
  assert.ok((await read(html([paragraph(90), REPEATED]), boilerplate)).blocks.includes(boilerplate[0]!));
});

test('a page never loses most of itself', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(40), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(40), { maxLength: 40 }),
      async (own, site) => {
        const known = (await read(html(site.map(paragraph)))).blocks;
        const before = await read(html(own.map(paragraph)));
        const after = await read(html(own.map(paragraph)), known);
        assert.ok(after.text.length >= before.text.length * 0.25);
        assert.ok(after.text.length > 0);
      },
    ),
    { numRuns: 40 },
  );
});
