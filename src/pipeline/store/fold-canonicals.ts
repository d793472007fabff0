import { findCanonicalTargets, findPagesNaming, type PageContent } from '../../db/pages/canonical-pages.ts';
import type { Sql } from '../../ports/database.ts';
import { hammingDistance } from '../extract/simhash.ts';
import type { PageOutcome } from '../outcome.ts';

/** Shorter texts must be equal: their SimHash says too little. */
const MIN_TEXT = 200;
/**
 * Bits in which a page may differ from the one it names. The site itself says they are the same, so more than for
 * near-duplicates; unrelated texts differ in 32 of 64 bits, give or take four.
 */
const MAX_DISTANCE = 10;
/** Pages that are folded when the page they name is stored; the rest follow with their own next visit. */
const MAX_NAMING = 1_000;

export interface Folded {
  /** As many as were given, in their order. */
  outcomes: PageOutcome[];
  /** Pages stored earlier whose content is found under the canonical address from now on. */
  pageIds: string[];
}

/**
 * A page that names another address as its canonical one is no second document, once the document of that address is there
 * and says the same: its own is not stored, or leaves. A canonical address that says something else (every page naming the home
 * page), cannot be fetched, or leads back here is ignored, so nothing is lost by a broken one.
 */
export async function foldCanonicals(sql: Sql, outcomes: readonly PageOutcome[]): Promise<Folded> {
  const naming = outcomes.filter(({ page, document }) => document !== undefined && page?.canonical_hash);
  const stored = await findCanonicalTargets(
    sql,
    naming.map(({ page }) => page!.canonical_hash!),
  );
  const here = new Map(
    outcomes.flatMap((outcome) => (outcome.document ? [[outcome.document.url_hash, outcome] as const] : [])),
  );
  const folded = new Set<PageOutcome>();
  for (const outcome of naming) {
    const target = here.get(outcome.page!.canonical_hash!);
    if (target !== undefined && folded.has(target)) continue;
    const content = target === undefined ? stored.get(outcome.page!.canonical_hash!) : contentOf(target);
    if (content !== undefined && target !== outcome && isSame(contentOf(outcome), content)) folded.add(outcome);
  }
  const kept = new Map([...here].filter(([, outcome]) => !folded.has(outcome)));
  const earlier = kept.size === 0 ? [] : await findPagesNaming(sql, [...kept.keys()], MAX_NAMING);
  const left = earlier.filter(
    (page) => !here.has(page.url_hash) && isSame(page, contentOf(kept.get(page.canonical_hash)!)),
  );
  const leaving = Map.groupBy(left, (page) => page.canonical_hash);
  return {
    outcomes: outcomes.map((outcome) => {
      if (folded.has(outcome)) return withoutDocument(outcome);
      const pages = leaving.get(outcome.document?.url_hash ?? '');
      return pages === undefined || kept.get(outcome.document!.url_hash) !== outcome
        ? outcome
        : { ...outcome, gone: [...(outcome.gone ?? []), ...pages.map(({ url_hash }) => toGone(url_hash))] };
    }),
    pageIds: left.map((page) => page.page_id),
  };
}

const toGone = (url_hash: string) => ({ url_hash, reason: 'duplicate' as const });

function contentOf({ page, document }: PageOutcome): PageContent {
  return {
    content_hash: page?.content_hash ?? null,
    simhash: page?.simhash ?? null,
    length: document?.content.length ?? 0,
  };
}

function isSame(a: PageContent, b: PageContent): boolean {
  if (a.content_hash !== null && a.content_hash === b.content_hash) return true;
  if (a.simhash === null || b.simhash === null || Math.min(a.length, b.length) < MIN_TEXT) return false;
  return hammingDistance(a.simhash, b.simhash) <= MAX_DISTANCE;
}

function withoutDocument({ document, product: _, shadowProduct: __, ...outcome }: PageOutcome): PageOutcome {
  const code = 'DUPLICATE_CONTENT' as const;
  return {
    ...outcome,
    result: { ...outcome.result, status: 'skipped', code, message: `the same as ${outcome.page!.canonical_url}` },
    page: { ...outcome.page!, error_code: code },
    gone: [...(outcome.gone ?? []), toGone(document!.url_hash)],
  };
}
