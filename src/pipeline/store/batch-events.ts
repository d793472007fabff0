import type { GoneDocument } from '../../db/documents/gone-documents.ts';
import type { NewEvent } from '../../db/events/append-events.ts';
import type { StoredProduct } from '../../db/products/products.ts';
import type { PageOutcome } from '../outcome.ts';

export interface StoredDocument {
  id: string;
  url_hash: string;
  version: number;
}

const KINDS = { completed: 'page.stored', failed: 'page.failed', skipped: 'page.skipped' } as const;

/** One event a page, for the crawls that requested page events; a page that is tried again has none yet. */
export function toPageEvents(outcomes: readonly PageOutcome[], asked: ReadonlySet<string>): NewEvent[] {
  if (asked.size === 0) return [];
  return outcomes.flatMap(({ task, result }): NewEvent[] => {
    if (!asked.has(task.crawl_id) || !(result.status in KINDS)) return [];
    const { http_status, code, message } = result;
    return [
      {
        kind: KINDS[result.status as keyof typeof KINDS],
        crawl_id: task.crawl_id,
        subject: task.id,
        data: { task_id: task.id, url: task.url, depth: task.depth, http_status, code, message },
      },
    ];
  });
}

interface Content {
  documents: readonly StoredDocument[];
  gone: readonly GoneDocument[];
  products: readonly StoredProduct[];
}

/** Documents that replaced an older version or are gone, and products whose price is another one. */
export function toContentEvents(outcomes: readonly PageOutcome[], { documents, gone, products }: Content): NewEvent[] {
  const changed = documents.filter(({ version }) => version > 1);
  const repriced = products.filter((product) => product.repriced !== null);
  if (changed.length + gone.length + repriced.length === 0) return [];
  const hashOf = ({ task, document }: PageOutcome) => document?.url_hash ?? task.url_hash.toString('hex');
  const withDocument = new Map(
    outcomes.flatMap(({ task, document }) =>
      document === undefined ? [] : [[document.url_hash, { task, document }] as const],
    ),
  );
  const withProduct = new Map(
    outcomes.filter(({ product }) => product !== undefined).map((outcome) => [hashOf(outcome), outcome]),
  );
  const sayingGone = new Map(outcomes.flatMap(({ task, gone: urls = [] }) => urls.map((url) => [url.url_hash, task])));
  return [
    ...changed.map(({ id, url_hash, version }): NewEvent => {
      const { task, document } = withDocument.get(url_hash)!;
      const data = { document_id: id, url: document.url, domain: document.domain, version };
      return { kind: 'document.changed', crawl_id: task.crawl_id, subject: id, data };
    }),
    ...gone.map(({ id, url, url_hash, domain, reason }): NewEvent => {
      const data = { document_id: id, url, domain, reason };
      return { kind: 'document.gone', crawl_id: sayingGone.get(url_hash)!.crawl_id, subject: id, data };
    }),
    ...repriced.map(({ id, url_hash, repriced: offers }): NewEvent => {
      const { document, task } = withProduct.get(url_hash)!;
      const data = { product_id: id, url: document?.url ?? task.url, ...offers! };
      return { kind: 'product.price_changed', crawl_id: task.crawl_id, subject: id, data };
    }),
  ];
}
