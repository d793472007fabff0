import { readFileSync } from 'node:fs';
import { Settings } from '../../src/config/settings.ts';
import type { Resolve } from '../../src/drivers/fetcher/dns.ts';
import { createHttpFetcher } from '../../src/drivers/fetcher/http.ts';
import type { Fetcher, FetchResponse } from '../../src/ports/fetcher.ts';
import { createGuard } from '../../src/web/guard.ts';

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

/** For secure.example and 127.0.0.1, self-signed. */
export const certificate = { key: fixture('tls-key.pem'), cert: fixture('tls-cert.pem') };
export const MAX_BYTES = 1024 * 1024;

/** A client with tight limits that may reach `allow`; names resolve to nothing unless `resolve` says otherwise. */
export function openFetcher(
  allow: string[],
  resolve: Resolve = async () => [],
  fetch: Record<string, number> = {},
): Fetcher {
  const settings = Settings.parse({ fetch: { maxBytes: MAX_BYTES, maxHeaderBytes: 32 * 1024, ...fetch } });
  return createHttpFetcher({ guard: createGuard(allow), settings, resolve });
}

/** What the hostile site's /echo saw of the request. */
export const readEcho = ({ body }: FetchResponse) =>
  JSON.parse(Buffer.from(body).toString()) as { method: string; headers: Record<string, string>; body: string };
