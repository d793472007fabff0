import type { FastifyReply, FastifyRequest } from 'fastify';

/** A browser shows nothing of an answer of the API, and no other site may read it or frame it. */
const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * Pages talk to their own origin only and run no script that is not a file of ours. Trusted types without a policy turn
 * every way from text to code off: `innerHTML` and the like throw.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), payment=(), serial=(), usb=()',
  'content-security-policy': ANSWER_POLICY,
  'cache-control': 'no-store',
};

/** A year. Sub-domains are not ours to decide about. */
const TRANSPORT = 'max-age=31536000';

/** What every answer carries, errors included; routes may replace single ones. */
export function sendHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(HEADERS);
  reply.header('x-request-id', request.id);
  // Said over TLS only, as RFC 6797 wants it: the proxy in front reports how the caller came.
  if (request.protocol === 'https') reply.header('strict-transport-security', TRANSPORT);
}

/** The same for an answer that is written to a connection without a request. */
export const HEADER_LINES = Object.entries(HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');
