import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('the pages', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api[Symbol.asyncDispose]());

  const get = (url: string, headers = {}) => api.send({ method: 'GET', url, headers });

  /** Follows src, href and imports from the pages to every file they need. */
  async function allFiles(): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    const open = ['/', '/docs', '/login'];
    for (let url = open.pop(); url !== undefined; url = open.pop()) {
      if (files.has(url)) continue;
      const { status, text } = await get(url);
      assert.equal(status, 200, url);
      files.set(url, text);
      for (const [, found] of text.matchAll(/(?:src|href)="(\/(?:page|favicon)[^"]*)"/g)) open.push(found!);
      for (const [, found] of text.matchAll(/from '\.\/(\w+\.js)'/g)) open.push(`/page/${found}`);
    }
    return files;
  }

  it('come with everything they need, and ask nobody else for anything', async () => {
    const files = await allFiles();
    assert.deepEqual([...files.keys()].sort(), [
      '/',
      '/docs',
      '/favicon.svg',
      '/login',
      '/page/api.js',
      '/page/crawls.js',
      '/page/docs.js',
      '/page/dom.js',
      '/page/login.js',
      '/page/page.js',
      '/page/provider.js',
      '/page/search.js',
      '/page/style.css',
    ]);
    for (const [url, text] of files)
      assert.doesNotMatch(text, /(?:src|href)\s*=\s*["']?(?:https?:)?\/\/|@import|url\(\s*["']?http/, url);
  });

  it('run under a policy that allows their own files only', async () => {
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.equal(headers['x-frame-options'], 'DENY');
    for (const [url, text] of await allFiles())
      if (['/', '/docs', '/login'].includes(url)) assert.doesNotMatch(text, /<script>|<style|\son\w+=|\sstyle=/);
  });

  it('are sent again only when they changed', async () => {
    const { etag } = (await get('/')).headers;
    assert.equal((await get('/', { 'if-none-match': String(etag) })).status, 304);
  });

  it('the specification is at its address', async () => {
    assert.equal((await get('/api/v1/openapi.json')).body.openapi, '3.1.0');
  });
});
