import { z } from 'zod';
import type { App } from '../../app.ts';
import { DOCUMENT_SORTS, type DocumentView, listDocumentViews } from '../../db/documents/document-views.ts';
import { listChunkRows, listLinkRows, readContents } from '../../db/exports/export-rows.ts';
import { type Listing, readPage, type Sort } from '../../db/listing.ts';
import { listPageViews, PAGE_SORTS } from '../../db/pages/page-views.ts';
import { listProductViews, PRODUCT_SORTS } from '../../db/products/product-views.ts';
import { listTaskRows, TASK_SORTS } from '../../db/tasks/tasks.ts';
import { Chunk, Document } from '../documents/document.ts';
import { toDomainFilter, toDomainName } from '../domains/domain.ts';
import { PageSummary } from '../pages/page.ts';
import { Product } from '../products/product.ts';
import { Id } from '../schemas.ts';
import { Task } from '../tasks/task.ts';
import { type ExportRow, readBatches, splitByWeight } from './batches.ts';
import { type Column, columnsOf } from './columns.ts';
import type { ExportPlan, FilterOf, What } from './export-input.ts';

type Batches = AsyncGenerator<ExportRow[]>;

/** Characters of text that are in memory at a time; a larger document comes alone. */
const MAX_CHARACTERS = 4_000_000;

const Link = z.object({
  id: z.string(),
  page_id: Id,
  position: z.number().int(),
  from_url: z.string(),
  domain: z.string(),
  to_url: z.string(),
  anchor: z.string(),
  rel: z.string(),
});

/** What a row of each kind has: the model of the API, and what its list leaves out. */
const MODELS: Record<What, z.ZodObject> = {
  documents: Document.extend({ content: z.string() }),
  pages: PageSummary,
  products: Product,
  tasks: Task,
  chunks: Chunk.extend({ url: z.string(), title: z.string().nullable(), domain: z.string() }),
  links: Link,
};

export const exportColumns = (what: What): Column[] => columnsOf(MODELS[what]);

/** The rows of an export, newest first; rows that come in meanwhile are not among them. */
export function readExportRows(app: App, { what, filter, cursor }: ExportPlan): Batches {
  switch (what) {
    case 'documents':
      return readDocuments(app, filter as FilterOf<'documents'>, cursor);
    case 'pages':
      return readPages(app, filter as FilterOf<'pages'>, cursor);
    case 'products':
      return readProducts(app, filter as FilterOf<'products'>, cursor);
    case 'tasks':
      return readTasks(app, filter as FilterOf<'tasks'>, cursor);
    case 'chunks':
      return readChunks(app, filter as FilterOf<'chunks'>, cursor);
    case 'links':
      return readLinks(app, filter as FilterOf<'links'>, cursor);
  }
}

const domainFilter = (domain: string | undefined) => (domain === undefined ? undefined : toDomainFilter(domain));
const domainName = (domain: string | undefined) => (domain === undefined ? undefined : toDomainName(domain));

/** A list of the API from its newest row on. */
function readNewest<Row extends ExportRow>(
  { database }: App,
  listing: Listing<Row>,
  sort: Sort,
  cursor: string | undefined,
): AsyncGenerator<Row[]> {
  const read = async (id: string | undefined, limit: number) => {
    const after = id === undefined ? undefined : [id];
    return (await readPage(database, listing, { sort, order: 'desc', after, limit })).map(({ row }) => row);
  };
  return readBatches(read, cursor);
}

/** Documents without their texts. */
export function listDocumentBatches(
  app: App,
  filter: FilterOf<'documents'>,
  cursor: string | undefined,
): AsyncGenerator<DocumentView[]> {
  const fixed = {
    domain: domainFilter(filter.domain),
    collectionId: filter.collection_id,
    tagId: filter.tag_id,
    source: filter.source,
    language: filter.language,
    text: filter.query,
    deleted: filter.deleted,
    gone: filter.gone,
  };
  return readNewest(app, listDocumentViews(fixed), DOCUMENT_SORTS.created, cursor);
}

async function* readDocuments(app: App, filter: FilterOf<'documents'>, cursor: string | undefined): Batches {
  const batches = listDocumentBatches(app, filter, cursor);
  for await (const rows of splitByWeight(batches, (row) => row.content_length, MAX_CHARACTERS)) {
    const ids = rows.map(({ id }) => id);
    const contents = await readContents(app.database, ids);
    yield rows.map((row) => ({ ...row, content: contents.get(row.id) ?? '' }));
  }
}

export function readPages(app: App, filter: FilterOf<'pages'>, cursor: string | undefined): Batches {
  const fixed = { domain: domainName(filter.domain), status: filter.status, query: filter.query };
  return readNewest(app, listPageViews(fixed), PAGE_SORTS.discovered, cursor);
}

function readProducts(app: App, filter: FilterOf<'products'>, cursor: string | undefined): Batches {
  const fixed = {
    domain: domainFilter(filter.domain),
    text: filter.query,
    brand: filter.brand,
    category: filter.category,
    availability: filter.availability,
    currency: filter.currency,
    minPrice: filter.min_price,
    maxPrice: filter.max_price,
    minRating: filter.min_rating,
    minConfidence: filter.min_confidence,
    sku: filter.sku,
    gtin: filter.gtin,
    gone: filter.gone,
  };
  return readNewest(app, listProductViews(fixed), PRODUCT_SORTS.created, cursor);
}

export function readTasks(app: App, filter: FilterOf<'tasks'>, cursor: string | undefined): Batches {
  const fixed = {
    crawlId: filter.crawl_id,
    domain: domainName(filter.domain),
    status: filter.status,
    code: filter.code,
    parentId: filter.parent_id,
    url: filter.url,
  };
  return readNewest(app, listTaskRows(fixed), TASK_SORTS.created, cursor);
}

function readChunks(app: App, filter: FilterOf<'chunks'>, cursor: string | undefined): Batches {
  const fixed = {
    documentId: filter.document_id,
    domain: domainFilter(filter.domain),
    collectionId: filter.collection_id,
  };
  return readBatches((beforeId, limit) => listChunkRows(app.database, fixed, beforeId, limit), cursor);
}

function readLinks(app: App, filter: FilterOf<'links'>, cursor: string | undefined): Batches {
  const fixed = { domain: domainName(filter.domain), pageId: filter.page_id };
  return readBatches((id, limit) => listLinkRows(app.database, fixed, toPlace(id), limit), cursor);
}

/** A page's id alone stands for all of its links. */
function toPlace(id: string | undefined): { pageId: string; position: number } | undefined {
  if (id === undefined) return undefined;
  const [pageId, position] = id.split(':');
  return { pageId: pageId!, position: position === undefined ? 2 ** 31 - 1 : Number(position) };
}
