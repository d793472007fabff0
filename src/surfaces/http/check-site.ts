import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';

/**
 * Two checks of where a request comes from, before anything else looks at it.
 *
 * The Host must be a name of this server: a page of another name that was made to resolve to this machine (DNS
 * rebinding) is of the same origin as our answers, but sends its own name as Host. Addresses are no names, and
 * `localhost` with all below it is resolved to loopback by every browser.
 *
 * A write must come from our own pages or from no page at all: browsers say so in Origin and Sec-Fetch-Site, other
 * programs send neither. A page on another port of this host is another site.
 */
export function createSiteCheck(settings: Settings) {
  const names = new Set(
    [settings.host, hostname(), 'localhost', ...settings.http.hosts].map((name) => name.toLowerCase()),
  );

  function checkHost(host: string): void {
    const name = host.toLowerCase().replace(/:\d*$/, '');
    const bare = name.startsWith('[') ? name.slice(1, -1) : name;
    if (isIP(bare) !== 0 || names.has(bare) || names.has('*') || bare.endsWith('.localhost')) return;
    throw new AppError('HOST_NOT_ALLOWED', `this server is not called "${bare.slice(0, 100)}"`);
  }

  function checkWrite(method: string | undefined, headers: IncomingHttpHeaders, host: string): void {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
    checkOwnPage(headers, host);
  }

  return { checkHost, checkWrite, checkOwnPage };
}

function checkOwnPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, host: string): void {
  const foreignOrigin = origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase();
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (foreignOrigin || foreignSite)
    throw new AppError('FORBIDDEN', 'this was sent by a page of another origin', {
      hint: 'Send it from a program, or from the pages of this server.',
    });
}
