import { z } from 'zod';
import { CrawlOptions } from '../../db/crawls/crawl-options.ts';
import type { CrawlConfigRow } from '../../db/organise/crawl-configs.ts';
import { CrawlOptionsInput, HeaderView, viewHeaders } from '../crawls/crawl-headers.ts';
import { meansFields, type OtherNames } from '../other-names.ts';
import { Id, Time } from '../schemas.ts';

export const CrawlConfig = z
  .object({ id: Id, name: z.string(), options: CrawlOptions, ...HeaderView, created_at: Time, updated_at: Time })
  .meta({ id: 'CrawlConfig' });
export type CrawlConfig = z.output<typeof CrawlConfig>;

const EXTRACTION = { markdown: {}, structured: { products: true }, raw: { only_main_content: false } };

const otherNames: OtherNames = {
  extraction_strategy: meansFields(
    z
      .enum(['markdown', 'structured', 'raw'])
      .describe('markdown: the main content, as always; structured: `products` too; raw: not `only_main_content`.'),
    (strategy) => EXTRACTION[strategy],
  ),
};

/** Options may stand beside the name as well; those inside `options` win. */
export const CrawlConfigInput = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    options: CrawlOptionsInput.default({}),
    ...CrawlOptionsInput.shape,
  })
  .transform(({ name, options, ...beside }) => ({ name, options: { ...beside, ...options } }))
  .meta({ otherNames });

export const toCrawlConfig = ({ headers, ...row }: CrawlConfigRow): CrawlConfig => ({
  ...row,
  ...viewHeaders(headers),
});
