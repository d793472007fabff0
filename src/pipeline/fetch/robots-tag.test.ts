import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRobotsTag } from './robots-tag.ts';

const AGENT = 'crawl4r/0.1 (+https://example.com)';
const asked = (header: string | undefined) => {
  const { noindex, nofollow } = readRobotsTag(header, AGENT);
  return `${noindex ? 'noindex ' : ''}${nofollow ? 'nofollow' : ''}`.trim();
};

describe('X-Robots-Tag', () => {
  it('reads what is asked of every crawler', () => {
    assert.equal(asked(undefined), '');
    assert.equal(asked('all'), '');
    assert.equal(asked('noindex'), 'noindex');
    assert.equal(asked('NOINDEX , nofollow'), 'noindex nofollow');
    assert.equal(asked('none'), 'noindex nofollow');
    assert.equal(asked('noarchive, notranslate'), '');
  });

  it('keeps to what names this crawler', () => {
    assert.equal(asked('otherbot: noindex, nofollow'), '');
    assert.equal(asked('crawl4r: nofollow'), 'nofollow');
    assert.equal(asked('otherbot: noindex, Crawl4r: nofollow'), 'nofollow');
    assert.equal(asked('noindex, otherbot: nofollow'), 'noindex');
  });

  it('does not take a limit or a date for a name', () => {
    assert.equal(asked('max-snippet: 20, noindex'), 'noindex');
    assert.equal(asked('unavailable_after: 25 Jun 2030 15:00:00 GMT, nofollow'), 'nofollow');
  });
});
