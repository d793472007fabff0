import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import type { PageRow } from '../../db/pages/pages.ts';
import type { PageOutcome } from '../outcome.ts';

/** The page's row of a visit that brought nothing to read. */
export function emptyPage(
  task: ClaimedTask,
  known: Pick<PageRow, 'status' | 'http_status' | 'error_code' | 'visited'>,
): PageOutcome['page'] {
  return {
    ...known,
    url: task.url,
    url_hash: task.url_hash.toString('hex'),
    domain_id: task.domain_id,
    final_url: null,
    content_type: null,
    content_length: null,
    title: null,
    description: null,
    language: null,
    content_hash: null,
    simhash: null,
    canonical_url: null,
    canonical_hash: null,
    etag: null,
    last_modified: null,
    links_count: 0,
    fetch_ms: null,
    has_body: false,
    fetched_at: null,
  };
}
