import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { PAGE_POLICY } from './headers.ts';

const [HTML, CSS, SCRIPT, SVG] = [
  'text/html; charset=utf-8',
  'text/css; charset=utf-8',
  'text/javascript; charset=utf-8',
  'image/svg+xml',
];

const FILES: readonly (readonly [url: string, file: string, type: string])[] = [
  ['/', 'index.html', HTML],
  ['/docs', 'docs.html', HTML],
  ['/login', 'login.html', HTML],
  ['/favicon.svg', 'favicon.svg', SVG],
  ['/page/style.css', 'style.css', CSS],
  ...['page', 'api', 'dom', 'crawls', 'search', 'docs', 'login', 'provider'].map(
    (name) => [`/page/${name}.js`, `${name}.js`, SCRIPT] as const,
  ),
];

export function registerPages(server: FastifyInstance): void {
  for (const [url, file, type] of FILES) {
    const body = readFileSync(new URL(`page/${file}`, import.meta.url));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    server.get(url, async (request, reply) => {
      reply.headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache', etag });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(type).send(body);
    });
  }
}
