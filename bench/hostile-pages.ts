import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Pages that are answered well and are evil inside: what a fetcher lets through and a parser, a sitemap reader or a
 * frontier must survive.
 */
const DEEP = 100_000;
const html = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Hostile</title></head><body>${body}</body></html>`;

const LAUGHS = `<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a0 "ha">${Array.from({ length: 12 }, (_, level) => `<!ENTITY a${level + 1} "${`&a${level};`.repeat(10)}">`).join('')}]>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>&a12;</loc></url></urlset>`;

const PAGES: Record<string, (origin: string) => { type: string; body: string }> = {
  '/deep': () => ({ type: 'text/html', body: html(`${'<div>'.repeat(DEEP)}bottom${'</div>'.repeat(DEEP)}`) }),
  '/unclosed': () => ({ type: 'text/html', body: html('<b><i><table><tr><td>'.repeat(DEEP / 5)) }),
  '/attributes': () => ({
    type: 'text/html',
    body: html(`<p ${Array.from({ length: DEEP }, (_, number) => `a${number}=x`).join(' ')}>text</p>`),
  }),
  '/entities': () => ({
    type: 'text/html',
    body: html(`<p>${'&amp;&lt;&#x41;&CounterClockwiseContourIntegral;'.repeat(DEEP)}</p>`),
  }),
  '/links': () => ({
    type: 'text/html',
    body: html(Array.from({ length: DEEP }, (_, number) => `<a href="/links/${number}">${number}</a>`).join('')),
  }),
  '/no-spaces': () => ({ type: 'text/html', body: html(`<p>${'x'.repeat(8_000_000)}</p>`) }),
  '/laughs.xml': () => ({ type: 'application/xml', body: LAUGHS }),
  '/self.xml': (origin) => ({
    type: 'application/xml',
    body: `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${['/self.xml', '/other.xml', '/laughs.xml'].map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('')}</sitemapindex>`,
  }),
  '/other.xml': (origin) => ({
    type: 'application/xml',
    body: `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${origin}/self.xml</loc></sitemap></sitemapindex>`,
  }),
  '/robots.txt': (origin) => ({
    type: 'text/plain',
    body: `User-agent: *\nDisallow:\nSitemap: ${origin}/self.xml\nSitemap: ${origin}/laughs.xml\n`,
  }),
};

interface Answer {
  type: string;
  body: Buffer;
}

/** The same on every host, so made once. */
const LARGE = new Map<string, Answer>(
  ['/deep', '/unclosed', '/attributes', '/entities', '/links', '/no-spaces'].map((path) => {
    const { type, body } = PAGES[path]!('');
    return [path, { type, body: Buffer.from(body) }];
  }),
);

function makePage(path: string, origin: string, number: number): Answer {
  const steps = ['a', 'b', 'c'].map((step) => `<a href="${path}/${step}${number}">${step}</a>`).join('');
  const { type, body } = PAGES[path]?.(origin) ?? {
    type: 'text/html',
    body: html(`<p>One step deeper at ${path}.</p>${steps}`),
  };
  return { type, body: Buffer.from(body) };
}

export const HOSTILE_PAGES = Object.keys(PAGES).filter((path) => path !== '/robots.txt');

export interface HostilePages extends AsyncDisposable {
  origin: string;
}

/** `/trap/…` links deeper into itself for ever. */
export async function startHostilePages(host: string): Promise<HostilePages> {
  let requests = 0;
  let origin = '';
  const server: Server = createServer((request, response) => {
    requests++;
    const path = (request.url ?? '/').replace(/\?.*/s, '');
    const { type, body } = LARGE.get(path) ?? makePage(path, origin, requests);
    response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
