import { z } from 'zod';
import { CrawlOptions } from '../../db/crawls/crawl-options.ts';
import { namesOf, type StoredHeaders, sealHeaders } from '../../db/stored-headers.ts';
import { AppError } from '../../errors.ts';
import type { Secrets } from '../../secrets.ts';
import { headerFields } from '../header-fields.ts';

/** The crawler sets conditions and ranges itself, content-* describes a body, and only servers send the last two. */
const RESERVED = /^(?:if-.*|range|content-.*|set-cookie2?|cookie2)$/i;

const Origin = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .transform((url) => new URL(url).origin);

/** Options as a request gives them. Headers are taken out of them at once and stored apart, sealed, with their origin. */
export const CrawlOptionsInput = CrawlOptions.extend({
  headers: headerFields(RESERVED)
    .optional()
    .describe('Sent to the origins they are for, and nowhere else. Absent on a change: the stored ones stay.'),
  headers_origin: Origin.optional().describe(
    'The origin the headers are for. Absent: those of the addresses in the request; a config has to name it.',
  ),
}).meta({ id: 'CrawlOptionsInput' });
export type CrawlOptionsInput = z.output<typeof CrawlOptionsInput>;

export interface SplitOptions {
  options: CrawlOptions;
  /** Undefined: none were given; an empty record takes stored ones away. */
  headers: StoredHeaders | undefined;
}

/** Separates options from the headers in them. `urls`: whose origins the headers are for unless they name one. */
export function splitHeaders(secrets: Secrets, input: CrawlOptionsInput, urls: readonly string[]): SplitOptions {
  const { headers, headers_origin, ...options } = input;
  if (headers === undefined) {
    if (headers_origin !== undefined)
      throw invalid('headers_origin', 'give headers with it; stored ones stay with their origin');
    return { options, headers: undefined };
  }
  const origins = headers_origin === undefined ? urls.map((url) => new URL(url).origin) : [headers_origin];
  if (origins.length === 0 && Object.keys(headers).length > 0)
    throw invalid('headers_origin', 'the origin these headers are for, such as https://example.com');
  return { options, headers: sealHeaders(secrets, headers, origins) };
}

const invalid = (field: string, message: string) =>
  new AppError('VALIDATION_FAILED', `options.${field}: ${message}`, {
    details: { [`body.options.${field}`]: message },
  });

/** What answers show of stored headers. */
export const HeaderView = {
  header_names: z.array(z.string()).describe('Headers that are sent along; their values are never shown.'),
  header_origins: z.array(z.string()).describe('Where those headers are sent.'),
};

export const viewHeaders = (stored: StoredHeaders) => ({
  header_names: namesOf(stored),
  header_origins: Object.keys(stored).sort(),
});
