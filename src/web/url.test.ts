import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hashUrl, MAX_URL_LENGTH, parseUrl } from './url.ts';

const normal = (input: string, base?: string) => {
  const parsed = parseUrl(input, base);
  return parsed.ok ? parsed.url : `invalid: ${parsed.reason}`;
};
const domain = (input: string) => {
  const parsed = parseUrl(input);
  return parsed.ok ? parsed.domain : undefined;
};

describe('parseUrl', () => {
  const cases: [string, string][] = [
    ['HTTPS://Example.COM:443', 'https://example.com/'],
    ['http://example.com:80/a#part', 'http://example.com/a'],
    ['http://example.com:443/', 'http://example.com:443/'],
    ['http://münchen.de./x', 'http://xn--mnchen-3ya.de/x'],
    ['http://user:secret@example.com/', 'http://example.com/'],
    ['http://example.com/a/./b/../c', 'http://example.com/a/c'],
    ['http://example.com/%7Euser/%2f%e4%41', 'http://example.com/~user/%2F%E4A'],
    ['http://example.com/100%/a%41', 'http://example.com/100%/a%41'],
    ['http://example.com/Path/', 'http://example.com/Path/'],
    ['http://example.com/a?', 'http://example.com/a'],
    ['http://example.com/a?b=2&a=1&b=1', 'http://example.com/a?a=1&b=2&b=1'],
    ['http://example.com/?utm_source=x&UTM_Medium=y&id=7&fbclid=z', 'http://example.com/?id=7'],
    ['http://example.com/?a=1&&b', 'http://example.com/?a=1&b'],
    ['http://example.com/?ref=nav&source=newsletter', 'http://example.com/'],
    ['http://example.com/?ref=main&source=https%3A%2F%2Fx', 'http://example.com/?ref=main&source=https%3A%2F%2Fx'],
    ['http://example.com/?ref=v1.2.0', 'http://example.com/?ref=v1.2.0'],
    ['http://example.com/a;jsessionid=0A1B?x=1', 'http://example.com/a?x=1'],
    ['http://example.com/a/..;jsessionid=1/b', 'http://example.com/b'],
    ['http://example.com/%2E;sid=x/%4', 'http://example.com/%4'],
    ['http://example.com/(S(lit3py55t21z5v55vlm25s55))/a.aspx', 'http://example.com/a.aspx'],
    ['http://example.com/?PHPSESSID=1&sid=0123456789abcdef0123456789abcdef', 'http://example.com/'],
    ['http://example.com/article.pl?sid=24', 'http://example.com/article.pl?sid=24'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    [' \thttp://example.com/a\n', 'http://example.com/a'],
  ];
  for (const [input, expected] of cases)
    it(`${JSON.stringify(input)} → ${expected}`, () => assert.equal(normal(input), expected));

  it('resolves links against their page', () => {
    const base = 'http://127.0.0.1:3000/shop/list.html?page=2';
    assert.equal(normal('/a/b?x=1#y', base), 'http://127.0.0.1:3000/a/b?x=1');
    assert.equal(normal('item.html', base), 'http://127.0.0.1:3000/shop/item.html');
    assert.equal(normal('../up', base), 'http://127.0.0.1:3000/up');
    assert.equal(normal('?page=3', base), 'http://127.0.0.1:3000/shop/list.html?page=3');
    assert.equal(normal('//other.org/x', base), 'http://other.org/x');
    assert.equal(normal('', base), base);
    assert.equal(parseUrl('mailto:me@example.com', base).ok, false);
    assert.equal(parseUrl('/a', 'not a base').ok, false);
  });

  it('refuses what cannot be fetched', () => {
    for (const input of [
      '',
      'example.com',
      'ftp://example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'http://',
      'http://a..b/',
      'http://./',
      `http://${'a'.repeat(64)}.com/`,
      'http://example.com:0/',
      'http://example.com:99999/',
      'http://[::1',
      'http://1.2.3.4.5/',
      `http://example.com/${'a'.repeat(MAX_URL_LENGTH)}`,
      `http://example.com/?utm_x=${'a'.repeat(10 * MAX_URL_LENGTH)}`,
    ]) {
      const parsed = parseUrl(input);
      assert.equal(parsed.ok, false, input);
      assert.equal(!parsed.ok && parsed.code, 'URL_INVALID');
    }
  });

  it('counts the length after noise is gone', () => {
    assert.equal(normal(`http://example.com/?id=1&utm_x=${'a'.repeat(MAX_URL_LENGTH)}`), 'http://example.com/?id=1');
  });

  it('knows the unit of politeness', () => {
    assert.equal(domain('https://www.shop.example.co.uk/'), 'example.co.uk');
    assert.equal(domain('https://one.github.io/'), 'one.github.io');
    assert.equal(domain('https://github.io/'), 'github.io');
    assert.equal(domain('http://127.0.0.1:8080/'), '127.0.0.1:8080');
    assert.equal(domain('https://[2606:4700::1111]/'), '[2606:4700::1111]:443');
    assert.equal(domain('http://wiki/'), 'wiki:80');
    assert.equal(domain('http://a.b.公司.cn/'), 'b.xn--55qx5d.cn');
  });

  it('hashes with SHA-256', () => {
    const url = 'https://example.com/';
    assert.deepEqual(hashUrl(url), createHash('sha256').update(url).digest());
  });
});

const piece = fc.constantFrom(
  ...['/', '.', '..', '%2e', '%2E', '%', '%4', '%41', '%25', '%2f', ';jsessionid=1', ';sid=x', '(S(', 'a'.repeat(24)],
  ...[
    '))',
    '?',
    '&',
    '=',
    '#',
    'utm_source',
    'ref',
    'sid',
    'a',
    'B',
    'é',
    "'",
    ' ',
    '\\',
    ':',
    '@',
    '+',
    '//',
    'z=1&a',
  ],
);
const messy = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

describe('parseUrl, for any input', () => {
  it('doing it twice changes nothing more', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withFragments: true, withQueryParameters: true }),
          messy.map((tail) => `http://Example.com/${tail}`),
          fc.tuple(fc.domain(), messy).map(([host, tail]) => `https://${host}${tail}`),
          fc.string(),
        ),
        (input) => {
          const once = parseUrl(input, 'http://base.example/folder/page');
          if (!once.ok) return;
          assert.deepEqual(parseUrl(once.url), once);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('the short way and the full way agree', () => {
    fc.assert(
      fc.property(messy, (tail) => {
        const url = `http://example.com/${tail}`;
        // A leading space is stripped by the URL parser and keeps an address off the fast path.
        assert.deepEqual(parseUrl(url), parseUrl(` ${url}`));
        const base = 'http://example.com/folder/page';
        assert.deepEqual(parseUrl(`/${tail}`, base), parseUrl(` /${tail}`, base));
        assert.deepEqual(parseUrl(`x${tail}`, base), parseUrl(` x${tail}`, base));
      }),
      { numRuns: 3_000 },
    );
  });
});
