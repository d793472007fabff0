import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toStoredMetadata } from './stored-metadata.ts';

it('the fields of metadata are stored in snake case, what is inside them as it is', () => {
  assert.deepEqual(
    toStoredMetadata({
      publishedAt: '2026-01-01',
      canonicalUrl: 'https://example.com/A',
      siteName: 'X',
      openGraph: { 'og:siteName': 'x' },
    }),
    {
      published_at: '2026-01-01',
      canonical_url: 'https://example.com/A',
      site_name: 'X',
      open_graph: { 'og:siteName': 'x' },
    },
  );
});
