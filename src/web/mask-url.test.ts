import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { maskUrl } from './mask-url.ts';

it('shows where a webhook leads and none of its secrets', () => {
  for (const [url, shown] of [
    ['https://example.com/hooks/crawl-has-ended', 'https://example.com/hooks/crawl-has-ended'],
    ['https://me:pass@example.com:8443/in', 'https://***@example.com:8443/in'],
    ['https://example.com/in?token=abc&page=1#frag', 'https://example.com/in?token=***&page=***'],
    [
      'https://hooks.slack.com/services/T024BE7LD/B024BE7LH/Q9vXabcdefghijklmnopqrst',
      'https://hooks.slack.com/services/T024BE7LD/B024BE7LH/***',
    ],
    ['https://discord.com/api/webhooks/1122334455667788990/aB-cd', 'https://discord.com/api/webhooks/***/aB-cd'],
    ['not an address', '***'],
  ])
    assert.equal(maskUrl(url!), shown);
});

it('never shows a random token, wherever it stands', () => {
  const token = fc.stringMatching(/^[A-Za-z0-9_-]{20,64}$/).filter((text) => /\d|[A-Z]/.test(text));
  fc.assert(
    fc.property(token, (secret) => {
      for (const url of [
        `https://${secret}@h.example/`,
        `https://h.example/a/${secret}/b`,
        `https://h.example/?k=${secret}`,
      ])
        assert.ok(!maskUrl(url).includes(secret), url);
    }),
  );
});

it('is the same when it is masked once more', () => {
  fc.assert(fc.property(fc.webUrl({ withQueryParameters: true }), (url) => maskUrl(maskUrl(url)) === maskUrl(url)));
});
