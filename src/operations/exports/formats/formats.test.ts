import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { ExportRow } from '../batches.ts';
import type { Column } from '../columns.ts';
import { writeCsv } from './csv.ts';
import { writeJsonl } from './jsonl.ts';
import { writeMarkdown } from './markdown.ts';
import { writeParquet } from './parquet.ts';
import { writeZip } from './zip.ts';

async function* batchesOf(...batches: object[][]): AsyncGenerator<ExportRow[]> {
  yield* batches as ExportRow[][];
}
async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** RFC 4180, written independently of the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (let at = 0; at < text.length; ) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    } else while (at < text.length && text[at] !== ',' && text[at] !== '\r') cell += text[at++];
    rows.at(-1)!.push(cell);
    if (text[at] === ',') {
      at++;
      if (at === text.length || text[at] === '\r') rows.at(-1)!.push('');
    }
    if (text.startsWith('\r\n', at)) {
      at += 2;
      if (at < text.length) rows.push([]);
    }
  }
  return rows;
}

const TEXTS: Column[] = [
  { name: 'a', type: 'text' },
  { name: 'b', type: 'text' },
];

describe('CSV', () => {
  it('gives back every text, and none that a spreadsheet would run', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', '1', 'x') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ a: text, b: text }), { minLength: 1, maxLength: 5 }), async (rows) => {
        const [, ...cells] = parseCsv((await collect(writeCsv(batchesOf(rows), TEXTS))).toString());
        const expected = rows.map(({ a, b }) => [a, b]);
        assert.equal(cells.length, expected.length);
        for (const [at, row] of cells.entries())
          for (const [column, cell] of row.entries()) {
            const given = expected[at]![column]!;
            assert.ok(cell === given || cell === `'${given}`, JSON.stringify([cell, given]));
            if (cell === given) assert.ok(!/^[=+\-@\t\r]/.test(cell) || /^-\d+(\.\d+)?$/.test(cell), cell);
            else assert.match(given, /^[=+\-@\t\r]/);
          }
      }),
    );
  });

  it('leaves numbers, times and empty cells as they are', async () => {
    const columns: Column[] = ['n', 't', 'j', 'price', 'none'].map((name) => ({ name, type: 'text' }));
    const row = { n: -1.5, t: new Date(0), j: ['a', 'b'], price: '-12.50', none: null };
    const text = (await collect(writeCsv(batchesOf([row]), columns))).toString();
    assert.equal(text, 'n,t,j,price,none\r\n-1.5,1970-01-01T00:00:00.000Z,"[""a"",""b""]",-12.50,\r\n');
  });
});

it('JSON Lines hold the columns and nothing else', async () => {
  const rows = [{ a: 'x\n"', b: { c: 1, a: 2 }, secret: 1 }];
  const text = (await collect(writeJsonl(batchesOf(rows), TEXTS))).toString();
  assert.equal(text, '{"a":"x\\n\\"","b":{"c":1,"a":2}}\n');
});

describe('Parquet', () => {
  const columns: Column[] = [
    { name: 'id', type: 'text' },
    { name: 'n', type: 'int' },
    { name: 'x', type: 'number' },
    { name: 'yes', type: 'bool' },
    { name: 'at', type: 'time' },
    { name: 'data', type: 'json' },
  ];
  const read = async (bytes: Buffer) => {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    return { rows: await parquetReadObjects({ file }), metadata: parquetMetadata(file) };
  };

  it('keeps types and nulls, over several row groups', async () => {
    const rows = Array.from({ length: 9_000 }, (_, n) => ({
      id: `row ${n} ü`,
      n: n % 3 === 0 ? null : n,
      x: n / 7,
      yes: n % 2 === 0,
      at: new Date(n * 1_000),
      data: { n, list: ['a'] },
    }));
    const { rows: back, metadata } = await read(
      await collect(writeParquet(batchesOf(rows.slice(0, 5_000), rows.slice(5_000)), columns)),
    );
    assert.deepEqual(back, rows);
    assert.ok(metadata.row_groups.length > 1);
    assert.deepEqual(
      metadata.schema.slice(1).map(({ name, type, converted_type }) => [name, type, converted_type]),
      [
        ['id', 'BYTE_ARRAY', 'UTF8'],
        ['n', 'INT32', undefined],
        ['x', 'DOUBLE', undefined],
        ['yes', 'BOOLEAN', undefined],
        ['at', 'INT64', 'TIMESTAMP_MILLIS'],
        ['data', 'BYTE_ARRAY', 'JSON'],
      ],
    );
  });

  it('is a file also without rows', async () => {
    const { rows, metadata } = await read(await collect(writeParquet(batchesOf(), columns)));
    assert.deepEqual([rows.length, metadata.schema.length], [0, 7]);
  });
});

describe('the zip of Markdown files', () => {
  it('is read by another program as it was written', async () => {
    const row = {
      id: 'a',
      url: 'https://x.example/docs/a',
      title: 'A "title"\n---\nid: evil',
      language: 'en',
      fetched_at: new Date(Date.UTC(2026, 4, 6, 7, 8, 10)),
      tags: [{ name: 'one' }],
      content: '# Ünïcode 漢字',
    };
    const zip = await collect(writeMarkdown(batchesOf([row, { ...row, url: 'https://x.example/docs/A' }])));
    const entries = await new ZipReader(new Uint8ArrayReader(zip), { strictness: 'strict' }).getEntries();
    assert.equal(new Set(entries.map(({ filename }) => filename.toLowerCase())).size, 2);
    const [first] = entries;
    assert.ok(first !== undefined && !first.directory);
    assert.equal(first.lastModDate.toISOString().slice(0, 10), '2026-05-06');
    const text = Buffer.from(await first.arrayBuffer({ useWebWorkers: false, checkSignature: true })).toString();
    assert.match(text, /^---\ntitle: "A \\"title\\"\\n---\\nid: evil"\nurl: "https:\/\/x\.example\/docs\/a"\n/);
    assert.ok(text.endsWith('tags: ["one"]\n---\n\n# Ünïcode 漢字\n'));
  });

  it('may be empty', async () => {
    const zip = await collect(writeZip((async function* () {})()));
    assert.deepEqual(await new ZipReader(new Uint8ArrayReader(zip)).getEntries(), []);
  });
});
