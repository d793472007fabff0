import type { Refusals } from '../db/crawls/settle-crawls.ts';
import type { DocumentRow } from '../db/documents/documents.ts';
import type { GoneReason } from '../db/documents/gone-documents.ts';
import type { ClaimedTask } from '../db/frontier/frontier.ts';
import type { PageRow } from '../db/pages/pages.ts';
import type { TaskOutcome } from '../db/tasks/finish-tasks.ts';
import type { AppError } from '../errors.ts';
import type { ExtractedProduct, Link } from './extract/types.ts';
import type { Candidate } from './frontier/admit-tasks.ts';
import type { CrawlContext } from './frontier/crawl-context.ts';

/** Everything one attempt at a task brought: the store stage writes it in one transaction, or none of it. */
export interface PageOutcome {
  task: ClaimedTask;
  crawl: CrawlContext;
  result: Omit<TaskOutcome, 'id' | 'attempt' | 'raw_ref'>;
  /** The response as it came, to be kept as a blob. */
  raw?: Uint8Array;
  /** The blob it is kept as already. */
  rawRef?: string;
  page?: Omit<PageRow, 'id' | 'raw_ref' | 'raw_meta' | 'duplicate_of'>;
  document?: Omit<DocumentRow, 'page_id' | 'id' | 'duplicate_group'>;
  /** Hash of the address whose document the site says is as it was. */
  unchanged?: string;
  /** Addresses under which nothing may be found any more. */
  gone?: { url_hash: string; reason: GoneReason }[];
  links?: Link[];
  product?: ExtractedProduct;
  shadowProduct?: ExtractedProduct;
  /** The extractor and site parser ran, whether or not they found a product. */
  parsed?: boolean;
  blocks?: string[];
  candidates: Candidate[];
  refused: Refusals;
  error?: AppError;
  /** When the site last answered in this turn (performance.now()), where it keeps a delay. */
  answeredAt?: number;
  feedback: Feedback;
}

/** What the answer says about the site. */
export interface Feedback {
  /** undefined: no request was sent to the site. */
  ok?: boolean;
  /** The domain a redirect led to, where it was that one. */
  domainId?: string;
  latencyMs?: number;
  pauseMs?: number;
  slowDown?: boolean;
  /** The proxy that failed, where it was not the site. */
  failedProxy?: string;
}
