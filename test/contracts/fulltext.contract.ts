import assert from 'node:assert/strict';
import type { Fulltext, TextQuery, TextRow } from '../../src/ports/fulltext.ts';
import { indexFields } from '../support/index-fields.ts';
import { assertAnswers, defineContract } from './support/contract.ts';

/** Engines may require UUIDs as ids, so names are written as such. */
const uuid = (name: string) =>
  `00000000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(24, '0').slice(-12)}`;

const row = (name: string, content: string, { collectionId, ...over }: Partial<TextRow> = {}): TextRow => ({
  chunkId: uuid(name),
  ...indexFields(uuid(`doc-${name}`), { collectionId: collectionId ? uuid(collectionId) : null }),
  title: '',
  headings: '',
  content,
  ...over,
});
const query = (text: string, over: Partial<TextQuery> = {}): TextQuery => ({
  words: text.split(' ').filter((word) => word !== ''),
  phrases: [],
  prefixes: [],
  excluded: [],
  ...over,
});
const nameOf = (id: string) => Buffer.from(id.slice(-12).replace(/^(00)+/, ''), 'hex').toString();
const ids = (hits: { chunkId: string }[]) => hits.map((hit) => nameOf(hit.chunkId));

/** Every keyword engine passes this, before and after `optimize`. */
export const fulltextContract = defineContract<() => Promise<Fulltext>>('fulltext', (each, open) => {
  each('says which engine answers', async () => {
    await using fulltext = await open();
    await assertAnswers(fulltext);
  });

  for (const optimized of [false, true]) {
    const it = (name: string, run: () => Promise<void>) => each(optimized ? `${name}, optimized` : name, run);
    const fill = async (fulltext: Fulltext, rows: TextRow[]) => {
      await fulltext.upsert(rows);
      if (optimized) await fulltext.optimize?.();
    };

    it('ranks rare words over common ones and short texts over long ones', async () => {
      await using fulltext = await open();
      await fill(fulltext, [
        row('comm', 'the engine of the car and the engine of the boat'),
        row('rare', 'the turbine of the plane'),
        row('long', `turbine ${'plain filler words that say nothing '.repeat(20)}`),
        ...Array.from({ length: 10 }, (_, at) => row(`f${at}`, `another engine number ${at}`)),
      ]);
      const hits = await fulltext.search(query('engine turbine'), 20);
      assert.deepEqual(ids(hits).slice(0, 2), ['rare', 'long']);
      assert.ok(hits.every((hit, at) => hit.score > 0 && (at === 0 || hit.score <= hits[at - 1]!.score)));
      assert.equal((await fulltext.search(query('engine'), 3)).length, 3);
    });

    it('finds other forms of a word, whatever case and accents', async () => {
      await using fulltext = await open();
      await fill(fulltext, [row('a', 'Connections were dropped in the Café'), row('b', 'nothing here')]);
      for (const words of ['connected', 'CONNECTION', 'cafe', 'dropping'])
        assert.deepEqual(ids(await fulltext.search(query(words), 5)), ['a'], words);
    });

    it('finds identifiers, versions, error codes and file names exactly', async () => {
      await using fulltext = await open();
      await fill(fulltext, [
        row('code', 'Error: connect ECONNRESET 10.0.0.1:443'),
        row('vers', 'Upgrade to v2.4.1 before Monday'),
        row('other', 'Upgrade to v2.4.2 after Monday'),
        row('name', 'call foo_bar() twice'),
        row('parts', 'foo is not a bar'),
        row('file', 'see src/main.config.ts for details'),
        row('camel', 'the method getUserName returns'),
        row('cve', 'affected by CVE-2024-3094 since March'),
        row('cves', 'a CVE of 2024 with another number, 1234'),
        row('cpp', 'written in C++ and compiled'),
        row('c', 'C is a language, and C is small'),
        row('dotnet', 'the service runs on .NET for now'),
        row('net', 'a net, and one more net'),
        row('fs', 'import it from node:fs instead'),
        row('ip', 'the router is at 192.168.1.1 here'),
        row('ips', 'not 192.168.0.1 and not 1.1.1.1'),
      ]);
      for (const [words, first] of [
        ['ECONNRESET', 'code'],
        ['econnreset', 'code'],
        ['v2.4.1', 'vers'],
        ['v2.4.2', 'other'],
        ['foo_bar()', 'name'],
        ['main.config.ts', 'file'],
        ['src/main.config.ts', 'file'],
        ['getUserName', 'camel'],
        ['user', 'camel'],
        ['2.4.1', 'vers'],
        ['CVE-2024-3094', 'cve'],
        ['C++', 'cpp'],
        ['.NET', 'dotnet'],
        ['node:fs', 'fs'],
        ['192.168.1.1', 'ip'],
      ] as const)
        assert.equal(ids(await fulltext.search(query(words), 5))[0], first, words);
      assert.deepEqual(ids(await fulltext.search(query('foo bar'), 5)).sort(), ['name', 'parts']);
    });

    it('weighs title and headings', async () => {
      await using fulltext = await open();
      await fill(fulltext, [
        row('body', 'one word about turbines among others'),
        row('title', 'one word about something among others', { title: 'Turbines' }),
        row('head', 'another text of the same length here', { headings: 'Intro > Compressors' }),
      ]);
      assert.deepEqual(ids(await fulltext.search(query('turbines'), 5)), ['title', 'body']);
      assert.deepEqual(ids(await fulltext.search(query('compressor'), 5)), ['head']);
    });

    it('a word asked for twice counts twice', async () => {
      await using fulltext = await open();
      await fill(fulltext, [
        row('a', 'steam alone'),
        row('b', 'boiler pump'),
        ...Array.from({ length: 6 }, (_, at) => row(`s${at}`, `steam and filler ${at}`)),
        ...Array.from({ length: 4 }, (_, at) => row(`p${at}`, `pump and filler ${at}`)),
      ]);
      assert.equal(ids(await fulltext.search(query('steam pump boiler'), 3))[0], 'b');
      const [first] = ids(await fulltext.search(query('steam steam steam steam steam steam pump boiler'), 3));
      assert.equal(first, 'a');
    });

    it('other scripts and letters', async () => {
      await using fulltext = await open();
      await fill(fulltext, [
        row('ja', 'iPhoneでWi-Fi接続エラー。検索エンジンです'),
        row('zh', '北京大学的图书馆'),
        row('ko', '서울에서 데이터베이스를 검색하는 엔진'),
        row('ru', 'Системы отопления домов'),
        row('ar', 'المكتبة الكبيرة'),
        row('de', 'Große Straßen und Häuser'),
        row('fr', "L'œuvre de l'école"),
      ]);
      for (const [words, first] of [
        ['iphone', 'ja'],
        ['Wi-Fi', 'ja'],
        ['検索エンジン', 'ja'],
        ['図書館 図', undefined],
        ['图书馆', 'zh'],
        ['学', 'zh'],
        ['데이터베이스', 'ko'],
        ['서울', 'ko'],
        ['система отопление', 'ru'],
        ['مكتبة', 'ar'],
        ['strassen', 'de'],
        ['grosse', 'de'],
        ['oeuvre', 'fr'],
        ['ecole', 'fr'],
      ] as const)
        assert.equal(ids(await fulltext.search(query(words), 5))[0], first, words);
      assert.deepEqual(ids(await fulltext.search(query('', { phrases: [['大学']] }), 5)), ['zh']);
      assert.deepEqual(ids(await fulltext.search(query('', { phrases: [['大的']] }), 5)), []);
      assert.deepEqual(ids(await fulltext.search(query('', { prefixes: ['Häu'] }), 5)), ['de']);
    });

    it('phrases must occur, prefixes expand, excluded words and phrases must not occur', async () => {
      await using fulltext = await open();
      await fill(fulltext, [
        row('a', 'to be or not to be, that is the question'),
        row('b', 'the question is not to be asked'),
        row('c', 'heat transfer in laminar flow'),
        row('d', 'the flow of heat and its transfer'),
        row('e', 'thermodynamics of heat'),
      ]);
      assert.deepEqual(ids(await fulltext.search(query('', { phrases: [['to', 'be', 'or', 'not', 'to', 'be']] }), 5)), [
        'a',
      ]);
      assert.deepEqual(ids(await fulltext.search(query('flow', { phrases: [['heat', 'transfer']] }), 5)), ['c']);
      assert.deepEqual(ids(await fulltext.search(query('', { prefixes: ['thermo'] }), 5)), ['e']);
      assert.deepEqual(ids(await fulltext.search(query('', { prefixes: ['nothinglike'] }), 5)), []);
      assert.deepEqual(ids(await fulltext.search(query('', { prefixes: ['transferrin'] }), 5)).sort(), ['c', 'd']);
      assert.deepEqual(ids(await fulltext.search(query('heat', { excluded: [['flow']] }), 5)), ['e']);
      assert.deepEqual(ids(await fulltext.search(query('heat', { excluded: [['heat', 'transfer']] }), 5)).sort(), [
        'd',
        'e',
      ]);
      assert.deepEqual(await fulltext.search(query('absent'), 5), []);
    });

    it('a query of stop words alone still finds them', async () => {
      await using fulltext = await open();
      await fill(fulltext, [row('a', 'who is who'), row('b', 'nothing')]);
      assert.deepEqual(ids(await fulltext.search(query('who'), 5)), ['a']);
    });

    it('a document that was fetched again is filtered by the new time', async () => {
      await using fulltext = await open();
      await fill(fulltext, [row('a', 'apple pie'), row('b', 'apple tart')]);
      await fulltext.touch([uuid('doc-a'), uuid('none')], 5_000);
      await fulltext.touch([], 9_000);
      assert.deepEqual(ids(await fulltext.search(query('apple'), 5, { fetchedFrom: 5_000 })), ['a']);
      assert.deepEqual(ids(await fulltext.search(query('apple'), 5, { fetchedTo: 4_999 })), ['b']);
      assert.deepEqual(ids(await fulltext.search(query('pie'), 5)), ['a']);
    });

    it('filters, replaces and deletes', async () => {
      await using fulltext = await open();
      await fill(fulltext, [
        row('a', 'apple pie', { tags: ['t1'], collectionId: 'c1' }),
        row('b', 'apple pie', { domain: 'other.org', fetchedAt: 9_000 }),
        row('c', 'apple tart'),
      ]);
      assert.deepEqual(ids(await fulltext.search(query('apple'), 5, { tags: ['t1'] })), ['a']);
      assert.deepEqual(ids(await fulltext.search(query('apple'), 5, { collectionIds: [uuid('c1')] })), ['a']);
      assert.deepEqual(ids(await fulltext.search(query('apple'), 5, { domains: ['other.org'], fetchedFrom: 9_000 })), [
        'b',
      ]);
      await fulltext.upsert([row('c', 'pear tart')]);
      assert.deepEqual(ids(await fulltext.search(query('apple'), 5)).sort(), ['a', 'b']);
      assert.deepEqual(ids(await fulltext.search(query('pear'), 5)), ['c']);
      await fulltext.deleteDocuments([uuid('doc-a'), uuid('none')]);
      await fulltext.deleteChunks([uuid('b'), uuid('none')]);
      assert.deepEqual(ids(await fulltext.search(query('apple'), 5)), []);
      assert.equal(await fulltext.count(), 1);
      const seen: string[] = [];
      for await (const batch of fulltext.ids()) seen.push(...ids(batch));
      assert.deepEqual(seen, ['c']);
    });
  }
});
