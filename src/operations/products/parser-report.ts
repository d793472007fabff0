import { z } from 'zod';
import type { App } from '../../app.ts';
import { listParserRuns } from '../../db/products/parser-runs.ts';
import { toDomainName } from '../domains/domain.ts';

export const ParserReportInput = z.strictObject({
  days: z.coerce.number().int().min(1).max(90).default(7),
  domain: z.string().trim().min(1).max(260).optional(),
  parser: z.string().trim().min(1).max(100).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});

export const ParserReport = z.object({
  items: z.array(
    z.object({
      parser: z.string(),
      parser_version: z.string(),
      domain: z.string(),
      shadow: z.boolean().describe('On trial beside the parser in force.'),
      pages: z.number().int().describe('Product pages it was asked to read.'),
      parsed: z.number().int().describe('Pages it gave a usable product for.'),
      success_rate: z.number(),
      differs: z.number().int().describe('Pages where the trial says something else.'),
      first_day: z.string(),
      last_day: z.string(),
      samples: z
        .array(
          z.object({
            url: z.string(),
            differences: z.array(z.object({ field: z.string(), live: z.unknown(), shadow: z.unknown() })),
          }),
        )
        .describe('The newest pages that differ, field by field.'),
    }),
  ),
});

/** How well each parser reads each domain, and what a parser on trial would change. */
export async function parserReport(
  app: App,
  input: z.output<typeof ParserReportInput>,
): Promise<z.output<typeof ParserReport>> {
  const rows = await listParserRuns(app.database, {
    days: input.days,
    domain: input.domain === undefined ? undefined : toDomainName(input.domain),
    parser: input.parser,
    limit: input.limit,
  });
  const items = rows.map((row) => ({ ...row, success_rate: row.pages === 0 ? 0 : row.parsed / row.pages }));
  return ParserReport.parse({ items });
}
