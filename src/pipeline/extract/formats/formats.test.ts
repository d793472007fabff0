import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractPage } from '../extract-page.ts';

const read = (body: string | Uint8Array, contentType: string | undefined, url = 'https://example.com/docs/file') =>
  extractPage({ url, contentType, body: typeof body === 'string' ? Buffer.from(body) : body });

/** A PDF with one line of text a page, offsets counted here. */
function makePdf(lines: readonly string[]): Uint8Array {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>'];
  const kids = lines.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${lines.length} >>`);
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const [index, line] of lines.entries()) {
    const content = `BT /F1 24 Tf 72 720 Td (${line}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`,
  );
}

test('a PDF gives its text page by page', async () => {
  const page = await read(makePdf(['The first page of the report', 'And the second one']), 'application/pdf');
  assert.equal(page.title, 'The first page of the report');
  assert.match(page.markdown, /^## Page 1\n\nThe first page of the report\n\n## Page 2\n\nAnd the second one$/);
  assert.equal(page.metadata.pages, 2);
});

test('a broken PDF is a parse failure', async () => {
  await assert.rejects(read('%PDF-1.4\nnothing here', 'application/pdf'), { code: 'PARSE_FAILED' });
});

test('plain text stays as it is', async () => {
  const page = await read('Release notes\n\nOne *thing* changed.\n', 'text/plain');
  assert.equal(page.title, 'Release notes');
  assert.equal(page.text, 'Release notes\n\nOne *thing* changed.');
});

test('Markdown keeps its source and loses its marks in the text', async () => {
  const source =
    '---\ntitle: "Guide"\ndate: 2024-03-01\n---\n# Start\n\nSee [the *API*](../api) and `run()`.\n\n```js\n# not a heading\n```\n';
  const page = await read(source, 'text/plain', 'https://example.com/docs/guide.md');
  assert.equal(page.title, 'Guide');
  assert.equal(page.metadata.publishedAt, '2024-03-01T00:00:00.000Z');
  assert.equal(page.text, 'Start\n\nSee the API and run().\n\n# not a heading');
  assert.deepEqual(page.headings, [{ level: 1, text: 'Start' }]);
  assert.deepEqual(page.links, [{ url: 'https://example.com/api', text: 'the API', rel: '' }]);
});

test('JSON gives its values', async () => {
  const page = await read('{"title":"Bikes","items":[{"name":"Roadster","price":120}]}', 'application/json');
  assert.equal(page.title, 'Bikes');
  assert.equal(page.text, 'title: Bikes\nname: Roadster\nprice: 120');
});

test('a feed gives a section an entry', async () => {
  const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>One</title>
    <link>https://example.com/1</link><description>&lt;p&gt;First &lt;b&gt;item&lt;/b&gt;&lt;/p&gt;</description></item></channel></rss>`;
  const page = await read(rss, 'application/rss+xml');
  assert.equal(page.title, 'News');
  assert.equal(page.markdown, '## [One](https://example.com/1)\n\nFirst **item**');
  assert.deepEqual(page.links, [{ url: 'https://example.com/1', text: 'One', rel: '' }]);
});

test('other XML gives the text of its elements', async () => {
  const page = await read('<?xml version="1.0"?><book><title>Tides</title><p>High and low.</p></book>', 'text/xml');
  assert.equal(page.title, 'Tides');
  assert.equal(page.text, 'Tides\nHigh and low.');
});

test('a page without a type is known by its bytes', async () => {
  assert.equal((await read('<!DOCTYPE html><title>T</title><p>Words</p>', undefined)).title, 'T');
  assert.equal((await read('<html><title>T</title><p>Words</p>', 'application/octet-stream')).title, 'T');
});

test('what is no text is refused', async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0, 1, 2, 3]);
  await assert.rejects(read(png, 'image/png'), { code: 'CONTENT_TYPE_UNSUPPORTED' });
  await assert.rejects(read(png, 'text/html'), { code: 'CONTENT_TYPE_UNSUPPORTED' });
  await assert.rejects(read(png, undefined), { code: 'CONTENT_TYPE_UNSUPPORTED' });
});

test('links of Markdown past the limit are counted, each once', async () => {
  const links = Array.from({ length: 1_010 }, (_, at) => `[n${at}](/n${at})`);
  const page = await read([...links, ...links].join('\n'), 'text/markdown');
  assert.equal(page.links.length, 1_000);
  assert.equal(page.linksBeyond?.count, 10);
  assert.equal(page.linksBeyond.samples[0], 'https://example.com/n1000');
});
