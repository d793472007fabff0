import { AppError } from '../errors.ts';
import type { Guard } from '../web/guard.ts';
import { type ParsedUrl, parseUrl } from '../web/url.ts';

/**
 * An address a caller gave, normalised. One that nothing may ever be fetched from is refused when it is given, not when
 * it is due; `field` names it in the answer.
 */
export function requireUrl(guard: Guard, input: string, field = 'url'): Extract<ParsedUrl, { ok: true }> {
  const shown = input.slice(0, 200);
  const parsed = parseUrl(input);
  if (!parsed.ok)
    throw new AppError(parsed.code, `"${shown}" cannot be fetched: ${parsed.reason}`, {
      details: { [`body.${field}`]: parsed.reason },
    });
  requireAllowed(guard, new URL(parsed.url), shown, field);
  return parsed;
}

/** The same for the address of a proxy, which is dialled by its host and port alone. */
export function requireProxyUrl(guard: Guard, input: string, field = 'url'): void {
  const { host } = new URL(input.replace(/^socks5:/i, 'http:'));
  requireAllowed(guard, new URL(`http://${host}`), host.slice(0, 200), field);
}

function requireAllowed(guard: Guard, url: URL, shown: string, field: string): void {
  const verdict = guard.checkUrl(url);
  if (!verdict.allowed)
    throw new AppError('URL_BLOCKED', `"${shown}" is refused: ${verdict.reason}`, {
      details: { [`body.${field}`]: verdict.reason },
    });
}
