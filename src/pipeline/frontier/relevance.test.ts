import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { scoreLink, scoreUrls } from './relevance.ts';

describe('scoreUrls', () => {
  const urls = [
    { url: 'https://example.com/blog/tuning-kafka-consumers' },
    { url: 'https://example.com/blog/kafka-basics' },
    { url: 'https://example.com/about', title: 'About us' },
    { url: 'https://example.com/d/17', title: 'Kafka consumer tuning' },
  ];

  test('fits rank by how much of the query they have, in the order given', () => {
    const scores = scoreUrls(urls, 'How to tune a Kafka consumer').map((each) => each.score);
    assert.equal(scores[2], 0);
    assert.ok(scores[0]! > scores[1]!, `${scores}`);
    assert.ok(scores[3]! > scores[1]!, `${scores}`);
    assert.ok(scores[0]! > 0.5);
  });

  test('forms and accents of a word meet', () => {
    const [one, two] = scoreUrls([{ url: 'https://e.com/cafes' }, { url: 'https://e.com/stories/running' }], 'café');
    assert.ok(one!.score > 0.5);
    assert.equal(two!.score, 0);
    assert.ok(scoreUrls([{ url: 'https://e.com/stories/running' }], 'story run')[0]!.score > 0.5);
  });

  test('a word nobody has does not drown the others', () => {
    const [first] = scoreUrls(urls, 'kafka zebra');
    assert.ok(first!.score >= 0.3);
  });

  test('scores stay within 0 and 1 and do not depend on chance', () => {
    fc.assert(
      fc.property(fc.array(fc.webUrl({ withQueryParameters: true }), { maxLength: 8 }), fc.string(), (list, query) => {
        const input = list.map((url) => ({ url }));
        const scores = scoreUrls(input, query);
        assert.deepEqual(scores, scoreUrls(input, query));
        for (const { score } of scores) assert.ok(score >= 0 && score <= 1);
      }),
    );
  });
});

describe('scoreLink', () => {
  const score = (url: string, text: string, depth = 1) =>
    scoreLink({ url: `https://example.com${url}`, text, keywords: ['solar panel', 'battery'], depth });

  test('keywords decide, text before address, and more of them help', () => {
    const none = score('/imprint', 'Imprint');
    const half = score('/panel', 'x');
    const address = score('/battery', 'x');
    const text = score('/x', 'Battery guide');
    const both = score('/solar-panels', 'Solar panels and batteries');
    assert.ok(none <= 0.2);
    assert.ok(none < half && half < address && address < text && text < both, `${[none, half, address, text, both]}`);
    assert.ok(text >= 0.4, 'one keyword passes the usual threshold');
  });

  test('the quick look never hides a hit', () => {
    const forms = ['batteries', 'Tuned', 'tuning', 'TUNES', 'running', 'boxes', 'stories', 'caching'];
    const keywords = ['battery', 'tune', 'run', 'box', 'story', 'cache'];
    fc.assert(
      fc.property(fc.constantFrom(...forms), fc.string(), (form, noise) => {
        const hit = scoreLink({ url: 'https://example.com/x', text: `${noise} ${form}`, keywords, depth: 0 });
        assert.ok(hit >= 0.5, `${form}: ${hit}`);
      }),
    );
  });

  test('depth costs a little', () => {
    assert.ok(score('/x', 'battery', 5) < score('/x', 'battery', 1));
    assert.ok(score('/x', 'battery', 50) >= 0.4);
  });

  test('without keywords the kind of address decides', () => {
    const page = scoreLink({ url: 'https://example.com/', text: '', keywords: [], depth: 3 });
    const second = scoreLink({ url: 'https://example.com/list?page=2', text: '', keywords: [], depth: 3 });
    assert.ok(page > second);
  });
});
