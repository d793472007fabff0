import type { CrawlDelta } from '../../db/frontier/admit-tasks.ts';
import type { ErrorCode } from '../../errors.ts';
import { parseUrl } from '../../web/url.ts';
import type { Link } from '../extract/types.ts';
import type { CrawlContext } from './crawl-context.ts';
import { rankOf } from './rank.ts';
import { scoreLink } from './relevance.ts';
import { inScope } from './scope.ts';
import type { TrapGuard } from './traps.ts';

/** A link that may become a task: everything but the database's say. */
export interface Candidate {
  crawlId: string;
  url: string;
  domain: string;
  depth: number;
  rank: number;
  /** Only a best-first crawl scores its links. */
  score: number | null;
  parentId: string;
}

export interface Admission {
  candidates: Candidate[];
  refused: CrawlDelta['refused'];
}

const MAX_SAMPLES = 20;

interface FoundOn {
  crawl: CrawlContext;
  taskId: string;
  depth: number;
}

/** Which links of a page enter the frontier, in their order on the page; every other one is counted under its reason. */
export function admitLinks(
  links: readonly Link[],
  from: FoundOn,
  traps: TrapGuard,
  limits: { maxDepth: number; maxLinksPerPage: number; maxUrlLength: number },
): Admission {
  const admission: Admission = { candidates: [], refused: {} };
  const { row, scope, seen } = from.crawl;
  const depth = from.depth + 1;
  if (row.max_depth === 0) return admission;
  const refuse = (code: ErrorCode, url: string) => {
    const entry = admission.refused[code] ?? { count: 0, samples: [] };
    admission.refused[code] = entry;
    entry.count++;
    if (entry.samples.length < MAX_SAMPLES) entry.samples.push(url);
  };
  const ranked = row.strategy === 'best_first';
  const here = new Set<string>();
  for (const [index, link] of links.entries()) {
    if (here.has(link.url) || seen.has(link.url)) continue;
    here.add(link.url);
    const parsed = parseUrl(link.url);
    if (!parsed.ok) refuse(parsed.code, link.url);
    else if (parsed.url.length > limits.maxUrlLength) refuse('URL_INVALID', parsed.url);
    else if (parsed.url !== link.url && (here.has(parsed.url) || seen.has(parsed.url))) continue;
    else if (!inScope(scope, parsed)) refuse('OUT_OF_SCOPE', parsed.url);
    else if (depth > Math.min(row.max_depth, limits.maxDepth)) refuse('DEPTH_LIMIT', parsed.url);
    else if (index >= limits.maxLinksPerPage) refuse('LINK_LIMIT', parsed.url);
    else if (/\bnofollow\b/.test(link.rel) && row.options.follow_nofollow !== true) refuse('NOFOLLOW', parsed.url);
    else {
      here.add(parsed.url);
      const score = ranked ? scoreLink({ url: parsed.url, text: link.text, keywords: row.keywords, depth }) : null;
      if (score !== null && score < row.score_threshold) refuse('SCORE_TOO_LOW', parsed.url);
      else if (traps.check(row.id, parsed.url, parsed.host) !== undefined) refuse('TRAP_DETECTED', parsed.url);
      else {
        const rank = rankOf(row.strategy, depth, score ?? 0);
        admission.candidates.push({
          crawlId: row.id,
          url: parsed.url,
          domain: parsed.domain,
          depth,
          rank,
          score,
          parentId: from.taskId,
        });
      }
    }
  }
  return admission;
}
