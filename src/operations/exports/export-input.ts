import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { ListDocumentsInput } from '../documents/list-documents.ts';
import { toDomainFilter, toDomainName } from '../domains/domain.ts';
import { ListPagesInput } from '../pages/list-pages.ts';
import { ProductFilters } from '../products/list-products.ts';
import { ListTasksInput } from '../tasks/list-tasks.ts';

export const EXPORT_FORMATS = ['jsonl', 'csv', 'parquet', 'md', 'warc'] as const;
export const ExportFormat = z.enum(EXPORT_FORMATS);
export type ExportFormat = z.output<typeof ExportFormat>;

const domain = z.string().trim().toLowerCase().min(1).max(260).optional();

/** An export has one order, and no pages. */
const PAGING = { limit: true, cursor: true, sort: true, order: true, total: true } as const;

/** The filters of each kind of row: those of its list. */
export const FILTERS = {
  documents: ListDocumentsInput.omit(PAGING),
  pages: ListPagesInput.omit(PAGING),
  products: ProductFilters,
  tasks: ListTasksInput.omit(PAGING),
  chunks: z.strictObject({ domain, collection_id: z.uuid().optional(), document_id: z.uuid().optional() }),
  links: z.strictObject({ domain, page_id: z.uuid().optional() }),
};
export type What = keyof typeof FILTERS;
export const WHAT = Object.keys(FILTERS) as [What, ...What[]];
export type FilterOf<Kind extends What> = z.output<(typeof FILTERS)[Kind]>;

/** What a format can hold. */
const HOLDS: Record<ExportFormat, readonly What[]> = {
  jsonl: WHAT,
  csv: WHAT,
  parquet: WHAT,
  md: ['documents'],
  warc: ['pages', 'documents', 'tasks'],
};

const names = [...new Set(WHAT.flatMap((what) => Object.keys(FILTERS[what].shape)))];
const usedBy = (name: string) => WHAT.filter((what) => name in FILTERS[what].shape).join(', ');
const filterFields = Object.fromEntries(
  names.map((name) => [
    name,
    z
      .union([z.string().max(500), z.number(), z.boolean()])
      .optional()
      .describe(`As in the list of ${usedBy(name)}.`),
  ]),
);

/** One flat object, as a query string is; which filters fit is decided by `what`. */
export const ExportInput = z
  .strictObject({
    format: ExportFormat,
    what: z.enum(WHAT).optional().describe('Absent: documents, and for warc the pages whose response is stored.'),
    cursor: z
      .string()
      .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:\d{1,9})?$/i)
      .optional()
      .describe('The id of the last row that was received: the export goes on after it.'),
    ...filterFields,
  })
  .meta({ id: 'ExportRequest' });

export interface ExportPlan {
  format: ExportFormat;
  what: What;
  cursor: string | undefined;
  filter: unknown;
}

/** Checks what the flat object cannot: that the format holds such rows, and that the filters are theirs. */
export function planExport(input: z.output<typeof ExportInput>): ExportPlan {
  const { format, what = HOLDS[format][0]!, cursor, ...given } = input;
  if (!HOLDS[format].includes(what)) throw refuse('what', `${format} holds ${HOLDS[format].join(', ')}`);
  if (cursor?.includes(':') && what !== 'links') throw refuse('cursor', 'an id without a colon');
  const filter = FILTERS[what].safeParse(given);
  if (filter.success) {
    const { domain } = filter.data;
    // Uploads have a domain of their own; only what was crawled has a page, a task or links.
    if (domain !== undefined)
      (what === 'pages' || what === 'tasks' || what === 'links' ? toDomainName : toDomainFilter)(domain);
    return { format, what, cursor, filter: filter.data };
  }
  const [issue] = filter.error.issues;
  const name = issue!.code === 'unrecognized_keys' ? issue!.keys[0]! : String(issue!.path[0]);
  throw refuse(name, issue!.code === 'unrecognized_keys' ? `${what} are not filtered by it` : issue!.message);
}

const refuse = (field: string, problem: string) =>
  new AppError('VALIDATION_FAILED', `the export does not fit: ${field}: ${problem}`, { details: { [field]: problem } });
