import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_ROBOTS_BYTES, parseRobots, productTokenOf } from './robots.ts';
import { canonicalizePath, compilePattern, matchesPattern } from './robots-pattern.ts';

const allows = (robots: string | Uint8Array, path: string, agent = 'FooBot') =>
  parseRobots(robots, agent).allows(`https://example.com${path}`);

/** One `*` group; each path with + must be allowed, with - refused. */
function check(rules: string, verdicts: string): void {
  for (const verdict of verdicts.split(' '))
    assert.equal(allows(`User-agent: *\n${rules}`, verdict.slice(1)), verdict[0] === '+', `${verdict} under ${rules}`);
}

describe('robots groups', () => {
  it('takes the own group and leaves * alone', () => {
    const robots = 'user-agent: *\ndisallow: /\n\nUSER-AGENT: foobot\nallow: /';
    assert.equal(allows(robots, '/x'), true);
    assert.equal(allows(robots, '/x', 'BarBot'), false);
    assert.equal(allows(robots, '/x', 'FooBot/2.1 (+https://example.com)'), true);
    assert.equal(allows(robots, '/x', 'FooBot-News'), false);
    assert.equal(allows(robots, '/x', 'Foo'), false);
  });

  it('merges groups of one name and of shared names', () => {
    const robots = 'user-agent: a\nuser-agent: b\ndisallow: /1\n\nuser-agent: b\ndisallow: /2';
    assert.deepEqual(
      ['/1', '/2'].map((path) => allows(robots, path, 'a')),
      [false, true],
    );
    assert.deepEqual(
      ['/1', '/2'].map((path) => allows(robots, path, 'b')),
      [false, false],
    );
  });

  it('is not split by blank, sitemap or unknown lines', () => {
    for (const between of ['', 'Sitemap: https://example.com/s.xml', 'Host: x', 'nonsense', '# note'])
      assert.equal(allows(`User-agent: FooBot\n${between}\nUser-agent: BarBot\nDisallow: /`, '/x'), false, between);
  });

  it('ignores rules outside a group, and agents without a name', () => {
    assert.equal(allows('disallow: /\nuser-agent: FooBot\nallow: /y', '/x'), true);
    assert.equal(allows('user-agent:\ndisallow: /', '/x'), true);
  });

  it('allows all when the own group is empty, or nothing is there', () => {
    assert.equal(allows('user-agent: *\ndisallow: /\nuser-agent: FooBot', '/x'), true);
    assert.equal(allows('', '/x'), true);
    assert.equal(allows('user-agent: FooBot\ndisallow:', '/x'), true);
  });

  it('reads names with versions and digits, and * with words behind it', () => {
    assert.equal(allows('user-agent: crawl4r/1.0\ndisallow: /', '/x', 'crawl4r/0.1 (+u)'), false);
    assert.equal(allows('user-agent: * everyone\ndisallow: /', '/x'), false);
    assert.equal(allows('user-agent: *bot\ndisallow: /', '/x'), true);
    assert.equal(allows('user-agent: __proto__\ndisallow: /', '/x', '__proto__'), false);
  });

  it('reads several names on a line, and names beyond ASCII', () => {
    for (const line of ['One, FooBot, Three', 'one foobot', 'FooBot/2.1 other'])
      assert.equal(allows(`user-agent: ${line}\ndisallow: /`, '/x'), false, line);
    assert.equal(allows('user-agent: Львів-bot\ndisallow: /', '/x', 'Mozilla/5.0 (compatible; львів-bot/1.1)'), false);
    assert.equal(allows('user-agent: FooBot\ndisallow: /', '/x', ''), true);
  });

  it('knows what a crawler calls itself', () => {
    assert.equal(productTokenOf('crawl4r/0.1 (+https://example.com)'), 'crawl4r');
    assert.equal(productTokenOf('Mozilla/5.0 (compatible; MyBot/1.0; +https://example.com)'), 'mybot');
    assert.equal(productTokenOf('FooBot'), 'foobot');
  });
});

describe('robots rules', () => {
  it('lets the longest decide, and allow win a tie', () => {
    check('disallow: /x\nallow: /x/page', '-/x -/x/y +/x/page +/x/page.html');
    check('allow: /x\ndisallow: /x/page', '+/x -/x/page');
    check('disallow: /a\nallow: /a', '+/a');
    check('allow: /p\ndisallow: /', '+/page -/other');
    check('allow: /page\ndisallow: /*.htm', '-/page.htm +/page');
    check('allow: /$\ndisallow: /', '+/ -/page');
  });

  it('knows * and $', () => {
    check('disallow: /fish*.php', '-/fish.php -/fishheads/catfish.php?a +/Fish.PHP');
    check('disallow: /*.php$', '-/a.php +/a.php?x +/a.php5 -/b/a.php');
    check('disallow: *.gif$', '-/a.gif -/b/c.gif +/a.gif2');
    check('disallow: /a*a$', '-/aa -/aba +/a +/ab');
    check('disallow: /$x', '-/$x +/x');
    check('disallow: /*', '-/ -/x');
    check('disallow: fish', '+/fish');
  });

  it('compares in one encoding', () => {
    check('disallow: /%7Ejoe', '-/~joe -/%7ejoe');
    check('disallow: /a%2fb', '-/a%2Fb +/a/b');
    check('disallow: /ü', '-/%C3%BC -/%c3%bc -/ü');
    check('disallow: /a b', '-/a%20b');
    check('disallow: /%2A', '-/* -/%2a +/x');
    check("disallow: /?q='x", "-/?q='x -/?q=%27x");
    assert.equal(allows(Buffer.from('user-agent: *\ndisallow: /caf\xe9', 'latin1'), '/caf%E9'), false);
  });

  it('always allows robots.txt', () => check('disallow: /', '+/robots.txt -/robots.txt.bak'));
});

describe('robots lines', () => {
  it('reads every line ending, a byte order mark, comments and loose spelling', () => {
    for (const end of ['\n', '\r', '\r\n'])
      assert.equal(allows(`\uFEFFUser-agent: FooBot # us${end}${end}  Disallow :  /x  # here${end}`, '/x'), false);
    assert.equal(allows('useragent FooBot\ndisalow /x', '/x'), false);
    assert.equal(allows('foo: FooBot\nbar: /', '/x'), true);
    assert.equal(allows('<pre>\nuser-agent: FooBot<br>\ndisallow: /x<BR/>\n</pre>', '/x'), false);
    const robots = '\uFEFFuser-agent: *\ndisallow: /ü';
    assert.equal(allows(Buffer.from(robots, 'utf16le'), '/ü'), false);
    assert.equal(allows(Buffer.from(robots, 'utf16le').swap16(), '/ü'), false);
    assert.equal(allows('user-agent: FooBot\ndisallow /x y', '/x'), true);
  });

  it('reads crawl-delay of the group and sitemaps of all', () => {
    const robots =
      'sitemap: https://example.com/1.xml\nuser-agent: a\ncrawl-delay: 1.5\nuser-agent: b\ncrawl-delay: 2x\ndisallow: /\n' +
      'Site-map: /2.xml#x\nuser-agent: *\ncrawl-delay: 7';
    assert.equal(parseRobots(robots, 'a').crawlDelayMs, 1500);
    assert.equal(parseRobots(robots, 'b').crawlDelayMs, undefined);
    assert.equal(parseRobots(robots, 'c').crawlDelayMs, 7000);
    assert.deepEqual(parseRobots(robots, 'a').sitemaps, ['https://example.com/1.xml', '/2.xml']);
  });

  it('reads 500 KiB and not for ever', () => {
    const filler = `# ${'x'.repeat(97)}\n`;
    const padded = (bytes: number) => `user-agent: *\n${filler.repeat(Math.floor(bytes / 100))}disallow: /x\n`;
    assert.equal(allows(padded(500 * 1024 - 100), '/x'), false);
    assert.equal(allows(padded(MAX_ROBOTS_BYTES + 100), '/x'), true);
    const cutRule = `user-agent: *\n#${'x'.repeat(MAX_ROBOTS_BYTES - 14 - 1 - 1 - 11)}\ndisallow: /deep/path`;
    assert.equal(allows(cutRule, '/other'), true);
  });

  it('cuts overlong lines', () => {
    const long = `/x/${'a'.repeat(20_000)}`;
    const robots = `user-agent: *\ndisallow: ${long}/qux`;
    assert.equal(allows(robots, `${long}/fux`), false);
    assert.equal(allows(robots, '/x/a'), true);
  });
});

describe('matchesPattern', () => {
  it('agrees with a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '?'), maxLength: 12 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '$', '.'), maxLength: 8 });
    fc.assert(
      fc.property(text, pattern, (tail, rule) => {
        const path = `/${tail}`;
        const escaped = rule.replace(/[.?/]/g, '\\$&').replaceAll('*', '.*');
        const source = escaped.endsWith('$')
          ? `${escaped.slice(0, -1).replaceAll('$', '\\$')}$`
          : escaped.replaceAll('$', '\\$');
        assert.equal(matchesPattern(canonicalizePath(path), compilePattern(rule)), new RegExp(`^${source}`).test(path));
      }),
      { numRuns: 3_000 },
    );
  });

  it('takes hostile patterns in its stride', () => {
    const pattern = compilePattern(`/${'*a'.repeat(8_000)}*b$`);
    const path = `/${'a'.repeat(16_000)}`;
    // Backtracking would not come back from this.
    assert.equal(matchesPattern(path, pattern), false);
  });
});
