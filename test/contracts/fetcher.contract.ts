import assert from 'node:assert/strict';
import type { Fetcher } from '../../src/ports/fetcher.ts';
import { createHostileSite } from '../support/hostile-site.ts';
import { defineContract } from './support/contract.ts';

/** What a fetcher under test is made with: hosts it may reach although they are private. */
export interface FetcherPlace {
  allow: string[];
}

const text = (body: Uint8Array) => Buffer.from(body).toString();

export const fetcherContract = defineContract<(place: FetcherPlace) => Promise<Fetcher>>('fetcher', (it, open) => {
  it('brings status, headers and body', async () => {
    await using site = await createHostileSite();
    await using fetcher = await open({ allow: [site.origin] });
    const response = await fetcher.fetch({ url: `${site.origin}/ok` });
    assert.equal(response.status, 200);
    assert.equal(response.url, `${site.origin}/ok`);
    assert.match(text(response.body), /fine/);
    assert.equal(response.headers['content-type'], 'text/plain');
    assert.deepEqual(response.redirects, []);
    assert.ok(response.timings.totalMs >= response.timings.firstByteMs);
  });

  it('gives every status as a response', async () => {
    await using site = await createHostileSite();
    await using fetcher = await open({ allow: [site.origin] });
    for (const status of [201, 404, 410, 429, 500, 503])
      assert.equal((await fetcher.fetch({ url: `${site.origin}/status?code=${status}` })).status, status);
  });

  it('follows redirects, asks before each, and lists them', async () => {
    await using site = await createHostileSite();
    await using fetcher = await open({ allow: [site.origin] });
    const asked: string[] = [];
    const response = await fetcher.fetch({
      url: `${site.origin}/count?left=2`,
      onRedirect: async (from, to) => {
        asked.push(`${from} ${to}`);
        return {};
      },
    });
    const steps = [2, 1, 0].map((left) => `${site.origin}/count?left=${left}`);
    assert.equal(response.url, steps[2]);
    assert.deepEqual(response.redirects, [
      { url: steps[0], status: 301 },
      { url: steps[1], status: 301 },
    ]);
    assert.deepEqual(asked, [`${steps[0]} ${steps[1]}`, `${steps[1]} ${steps[2]}`]);
  });

  it('ends with the error of a redirect that is refused', async () => {
    await using site = await createHostileSite();
    await using fetcher = await open({ allow: [site.origin] });
    const refusal = new Error('not there');
    const fetching = fetcher.fetch({
      url: `${site.origin}/count?left=1`,
      onRedirect: () => Promise.reject(refusal),
    });
    await assert.rejects(fetching, (error) => error === refusal);
    assert.deepEqual(site.hits, ['/count']);
  });

  it('stops after too many redirects', async () => {
    await using site = await createHostileSite();
    await using fetcher = await open({ allow: [site.origin] });
    await assert.rejects(fetcher.fetch({ url: `${site.origin}/loop` }), { code: 'TOO_MANY_REDIRECTS' });
  });

  it('sends nothing to an address the guard refuses', async () => {
    await using site = await createHostileSite();
    await using other = await createHostileSite();
    await using fetcher = await open({ allow: [site.origin] });
    await assert.rejects(fetcher.fetch({ url: `${other.origin}/ok` }), { code: 'URL_BLOCKED' });
    const to = encodeURIComponent(`${other.origin}/ok`);
    await assert.rejects(fetcher.fetch({ url: `${site.origin}/redirect?to=${to}` }), { code: 'URL_BLOCKED' });
    assert.equal(other.connections.total, 0);
  });

  it('says what went wrong', async () => {
    await using site = await createHostileSite();
    const gone = await createHostileSite();
    await gone[Symbol.asyncDispose]();
    await using fetcher = await open({ allow: [site.origin, gone.origin, 'nobody.invalid'] });
    await assert.rejects(fetcher.fetch({ url: `${gone.origin}/` }), { code: 'CONNECT_FAILED' });
    await assert.rejects(fetcher.fetch({ url: 'http://nobody.invalid/' }), { code: 'DNS_FAILED' });
    await assert.rejects(fetcher.fetch({ url: `${site.origin}/silent`, timeoutMs: 50 }), { code: 'TIMEOUT' });
    await assert.rejects(fetcher.fetch({ url: `${site.origin}/bytes?count=5000`, maxBytes: 4_000 }), {
      code: 'TOO_LARGE',
    });
  });

  it('ends at once when it is called off', async () => {
    await using site = await createHostileSite();
    await using fetcher = await open({ allow: [site.origin] });
    const controller = new AbortController();
    const fetching = fetcher.fetch({ url: `${site.origin}/silent`, signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(fetching, { code: 'CANCELLED' });
    await assert.rejects(fetcher.fetch({ url: `${site.origin}/ok`, signal: controller.signal }), {
      code: 'CANCELLED',
    });
  });
});
