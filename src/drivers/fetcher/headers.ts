import { CONNECTION_FIELD } from '../../web/header-fields.ts';

/** Fields about the first address: its cached copy, its ranges. */
const FIRST_HOP_ONLY = /^(?:if-.*|range)$/;

/** The caller's fields over our own, as the flat list undici takes. */
export function mergeHeaders(own: Record<string, string>, caller: Record<string, string>): string[] {
  const merged = { ...own };
  for (const [name, value] of Object.entries(caller)) {
    const lower = name.toLowerCase();
    if (!CONNECTION_FIELD.test(lower)) merged[lower] = value;
  }
  return Object.entries(merged).flat();
}

/** What of the caller's fields goes on to another address of the same origin. */
export function keepOnRedirect(headers: Record<string, string> | undefined, hasBody: boolean): Record<string, string> {
  const kept = Object.entries(headers ?? {}).filter(([name]) => {
    const lower = name.toLowerCase();
    return !FIRST_HOP_ONLY.test(lower) && (hasBody || !lower.startsWith('content-'));
  });
  return Object.fromEntries(kept);
}
