import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { toAppError } from '../../errors.ts';
import { useLoginLink } from '../../operations/access/use-login-link.ts';
import { sendSessionCookie } from './cookies.ts';
import { originOf } from './session-origin.ts';

/** Pages talk to their own origin only, and run no script that is not a file of ours. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const [HTML, CSS, SCRIPT, SVG] = [
  'text/html; charset=utf-8',
  'text/css; charset=utf-8',
  'text/javascript; charset=utf-8',
  'image/svg+xml',
];

const FILES: readonly (readonly [url: string, file: string, type: string])[] = [
  ['/', 'index.html', HTML],
  ['/docs', 'docs.html', HTML],
  ['/favicon.svg', 'favicon.svg', SVG],
  ['/page/style.css', 'style.css', CSS],
  ...['page', 'api', 'dom', 'crawls', 'search', 'docs'].map(
    (name) => [`/page/${name}.js`, `${name}.js`, SCRIPT] as const,
  ),
];

export function registerPages(server: FastifyInstance, app: App): void {
  for (const [url, file, type] of FILES) {
    const body = readFileSync(new URL(`page/${file}`, import.meta.url));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    server.get(url, async (request, reply) => {
      reply.headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache', etag });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(type).send(body);
    });
  }
  server.get('/login', async (request, reply) => {
    const { token } = z.object({ token: z.string().max(200).default('') }).parse(request.query);
    try {
      const session = await useLoginLink(app, token, originOf(request));
      sendSessionCookie(request, reply, session.token);
      return reply.redirect('/');
    } catch (error) {
      if (toAppError(error).status >= 500) throw error;
      return reply.redirect('/?login=expired');
    }
  });
}
