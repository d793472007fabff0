import { z } from 'zod';
import { parseUrl } from '../../../web/url.ts';
import { runFilter } from './filter.ts';

const Input = z.object({ url: z.string(), base: z.string().nullish() });

export async function run(): Promise<void> {
  await runFilter((line) => {
    const { url, base } = Input.parse(line);
    const parsed = parseUrl(url, base ?? undefined);
    return parsed.ok
      ? { valid: true, normalized: parsed.url, domain: parsed.domain, reason: null }
      : { valid: false, normalized: null, domain: null, reason: parsed.reason };
  });
}
