import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserEnvironment, findChromium } from '../../src/config/chromium.ts';
import { extractPage } from '../../src/pipeline/extract/extract-page.ts';
import { chunkText } from '../../src/pipeline/index/chunk.ts';
import { citeLink } from '../../src/pipeline/search/cite.ts';
import { createHighlighter } from '../../src/pipeline/search/highlight.ts';
import { parseQuery } from '../../src/pipeline/search/parse-query.ts';
import { noBrowser } from '../support/browser.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';

/** The query, and the part of the page that answers it. */
const PARTS: [query: string, html: string][] = [
  [
    'lighthouse keeper',
    '<p>The <b>lighthouse keeper</b> lit the <a href="/lamp">lamp</a> every evening, whatever the weather was.</p>',
  ],
  [
    'oil barrels',
    '<p>He wrote: "no oil, no light" &amp; counted barrels (all 14 of them) - the well-known, old oil barrels.</p>',
  ],
  [
    'fresnel lens',
    '<ul><li>The tower is white.</li><li>A Fresnel lens of the first order, made in Paris, bends the light of a small flame into a beam.</li></ul>',
  ],
  [
    'foghorn pressure',
    '<table><tr><th>Part</th><th>Value</th></tr><tr><td>foghorn pressure</td><td>2.5 bar</td></tr></table>',
  ],
  ['restart_beacon', '<p>Call <code>restart_beacon()</code> twice. It returns <code>null</code> *once*.</p>'],
  [
    'granite stairs',
    '<h3>Granite stairs</h3><p>There are two hundred and six of them, and each one was cut by hand in the quarry behind the village during winter.</p>',
  ],
  ['灯台守', '<p>その島には灯台守が住んでいた。毎晩ランプを灯した。</p>'],
  [
    'ship wreck insurance',
    '<p>In 1871 the insurance paid for a ship wreck<br>on the northern reef. Nobody knows why.</p>',
  ],
  ['harbour master', '<blockquote><p>The harbour master said that no boat had left.</p></blockquote>'],
];
/** Of the window: less than what is between two parts, so that only one can be in it. */
const HEIGHT = 600;
const filler = (at: number) =>
  `<p style="margin-bottom: 2500px">Between two parts stands paragraph number ${at}, which answers nothing that was asked here.</p>`;
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The island</title></head><body><main><article><h1>The island</h1>
${PARTS.map(([, html], at) => `${filler(at)}<section id="part${at}">${html}</section>`).join('\n')}${filler(99)}</article></main></body></html>`;

describe('a citation in a browser', { skip: noBrowser }, () => {
  let site: WebServer;
  let browser: Browser;
  let page: Page;
  before(async () => {
    site = await startWebServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
    });
    browser = await chromium.launch({
      executablePath: findChromium(undefined)!,
      env: browserEnvironment(),
      chromiumSandbox: false,
    });
  });
  after(async () => {
    await browser?.close();
    await site?.[Symbol.asyncDispose]();
  });

  for (const [at, [query]] of PARTS.entries())
    test(`leads to the passage: ${query}`, async () => {
      const raw = { url: `${site.origin}/`, contentType: 'text/html; charset=utf-8', body: Buffer.from(PAGE) };
      const { markdown } = await extractPage(raw);
      const highlight = createHighlighter(parseQuery(query).text);
      const chunks = chunkText(markdown, { size: 64, min: 8, overlap: 0 }, (part) => part.split(/\s+/).length);
      const [best] = chunks
        .map(({ content }) => ({ content, marks: highlight(content) }))
        .sort((a, b) => b.marks.length - a.marks.length);
      const link = citeLink(`${site.origin}/`, best!.content, best!.marks);
      page = await browser.newPage({ viewport: { width: 800, height: HEIGHT } });
      await page.goto(link);
      const seen = async () => {
        const box = await page.locator(`#part${at}`).boundingBox();
        return box !== null && box.y < HEIGHT && box.y + box.height > 0;
      };
      for (let look = 0; look < 20 && !(await seen()); look++) await page.waitForTimeout(50);
      assert.ok(await seen(), link);
      await page.close();
    });
});
