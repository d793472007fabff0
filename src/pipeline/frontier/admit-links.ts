import type { Refusals } from '../../db/crawls/settle-crawls.ts';
import type { ErrorCode } from '../../errors.ts';
import { classifyUrl } from '../../web/score-url.ts';
import { type ParsedUrl, parseUrl } from '../../web/url.ts';
import type { Candidate } from './admit-tasks.ts';
import type { CrawlContext } from './crawl-context.ts';
import { rankOf } from './rank.ts';
import { refuse } from './refusals.ts';
import { scoreLink } from './relevance.ts';
import { inScope } from './scope.ts';
import type { TrapGuard } from './traps.ts';

export interface Admission {
  candidates: Candidate[];
  refused: Refusals;
}

/** An address and what is known about it: of a page's link, anchor text and rel; of any other, neither. */
export interface FoundLink {
  url: string;
  text: string;
  rel: string;
}

export interface FoundAt {
  crawl: CrawlContext;
  /** How deep the addresses are: one more than the page they were found on. */
  depth: number;
  parentId: string | null;
}

export interface AdmissionLimits {
  maxDepth: number;
  maxLinksPerPage: number;
  maxUrlLength: number;
}

/**
 * Which addresses may enter a crawl, in the order given; every other one is counted under its reason. What was seen
 * already is neither. Nothing is written: admitTasks has the last word.
 */
export function admitLinks(
  links: readonly FoundLink[],
  from: FoundAt,
  traps: TrapGuard,
  limits: AdmissionLimits,
): Admission {
  const admission: Admission = { candidates: [], refused: {} };
  const { row, seen } = from.crawl;
  if (row.max_depth === 0 && from.parentId !== null) return admission;
  const here = new Set<string>();
  // One moment for all links of a page: depth first takes the newest page's links, those in their order.
  const now = Date.now();
  for (const [index, link] of links.entries()) {
    if (here.has(link.url) || seen.has(link.url)) continue;
    here.add(link.url);
    const parsed = parseUrl(link.url);
    const { url } = parsed.ok ? parsed : link;
    if (url !== link.url && (here.has(url) || seen.has(url))) continue;
    here.add(url);
    const verdict = judgeLink(link, parsed, { index, now }, from, traps, limits);
    if (typeof verdict === 'string') refuse(admission.refused, verdict, [url]);
    else admission.candidates.push(verdict);
  }
  return admission;
}

/** The order of the checks is the order of the reasons: the first that applies is the one that is counted. */
function judgeLink(
  link: FoundLink,
  parsed: ParsedUrl,
  { index, now }: { index: number; now: number },
  { crawl: { row, scope }, depth, parentId }: FoundAt,
  traps: TrapGuard,
  limits: AdmissionLimits,
): Candidate | ErrorCode {
  if (!parsed.ok) return parsed.code;
  const { url, domain } = parsed;
  if (url.length > limits.maxUrlLength) return 'URL_INVALID';
  if (!inScope(scope, parsed)) return 'OUT_OF_SCOPE';
  if (depth > Math.min(row.max_depth, limits.maxDepth)) return 'DEPTH_LIMIT';
  if (index >= limits.maxLinksPerPage) return 'LINK_LIMIT';
  if (/\bnofollow\b/.test(link.rel) && row.options.follow_nofollow !== true) return 'NOFOLLOW';
  const score =
    row.strategy === 'best_first' ? scoreLink({ url, text: link.text, keywords: row.keywords, depth }) : null;
  if (score !== null && score < row.score_threshold) return 'SCORE_TOO_LOW';
  if (traps.check(row.id, url, parsed.host) !== undefined) return 'TRAP_DETECTED';
  const rank = rankOf(row.strategy, depth, score ?? 0, now);
  return { url, domain, depth, rank, score, parentId, behind: behindOf(url, depth) };
}

/** Lists of pages (page 2 and on, archives, tags) wait for the pages of their crawl, whatever its strategy. */
const behindOf = (url: string, depth: number) => Number(classifyUrl(url, depth, false) === 'pagination');

/** A start address given by a user: it defines the scope of the crawl, so only its own form is checked. */
export function seedCandidate(
  { url, domain }: { url: string; domain: string },
  strategy: CrawlContext['row']['strategy'],
  depth: number,
  priority?: number,
): Candidate {
  return { url, domain, depth, rank: rankOf(strategy, depth, 1), score: null, parentId: null, behind: 0, priority };
}
