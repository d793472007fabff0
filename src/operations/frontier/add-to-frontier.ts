import { z } from 'zod';
import type { App } from '../../app.ts';
import { type CrawlRow, getCrawlRow } from '../../db/crawls/crawls.ts';
import type { Refusals } from '../../db/crawls/settle-crawls.ts';
import type { AdmittedTask } from '../../db/frontier/admit-tasks.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { admitLinks } from '../../pipeline/frontier/admit-links.ts';
import { admissionRules, admitTasks, type Candidate, ensureDomainIds } from '../../pipeline/frontier/admit-tasks.ts';
import { announceChanges } from '../../pipeline/frontier/announce.ts';
import { toContext } from '../../pipeline/frontier/crawl-context.ts';
import { refuse } from '../../pipeline/frontier/refusals.ts';
import { TrapGuard } from '../../pipeline/frontier/traps.ts';
import { parseUrl } from '../../web/url.ts';
import { Crawl } from '../crawls/crawl.ts';
import { getCrawl } from '../crawls/get-crawl.ts';
import { planCrawl } from '../crawls/start-crawl.ts';
import { found } from '../found.ts';
import { Id, Priority } from '../schemas.ts';

export const AddToFrontierInput = z.strictObject({
  urls: z.array(z.string().min(1)).min(1).max(1_000),
  crawl_id: Id.optional().describe('An open crawl these belong to; absent: a new one.'),
  priority: Priority.optional(),
  depth: z.number().int().min(0).max(100).default(0).describe('How deep they count as; links are followed from there.'),
  max_depth: z.number().int().min(0).max(100).optional().describe('How deep a new crawl goes; absent: 2.'),
  max_pages: z.number().int().min(1).optional().describe('How many pages a new crawl takes; absent: 100.'),
});

export const FrontierAnswer = z
  .object({
    crawl: Crawl,
    added: z.number().int(),
    refused: z.array(z.object({ url: z.string(), code: z.string(), reason: z.string() })),
  })
  .meta({ id: 'FrontierAnswer' });
type Answer = z.output<typeof FrontierAnswer>;

/** Adds addresses to an open crawl, or as a crawl of their own. What cannot be taken is said, each with its reason. */
export async function addToFrontier(
  app: App,
  input: z.output<typeof AddToFrontierInput>,
  createdBy: string,
): Promise<Answer> {
  const { urls, refused } = sort(app, input.urls);
  if (urls.length === 0)
    throw new AppError('URL_INVALID', 'none of these addresses can be crawled', { details: { refused } });
  if (input.crawl_id === undefined) {
    const { depth, max_pages, priority } = input;
    const follows = input.max_depth ?? (app.settings.features.enableDeepCrawl ? 2 : 0);
    const options = { max_depth: Math.max(depth, follows), ...(max_pages === undefined ? {} : { max_pages }) };
    const crawl = await planCrawl(app, { kind: 'urls', urls, depth, options, priority, created_by: createdBy });
    return { crawl, added: crawl.pages_discovered, refused };
  }
  const row = found(await getCrawlRow(app.database, input.crawl_id), 'crawl', input.crawl_id);
  const { admitted, refused: more } = await admit(app, row, urls, input, createdBy);
  refused.push(...more.map(({ url, code }) => ({ url, code, reason: REASONS[code]?.(row) ?? code })));
  const [only] = refused;
  if (admitted.length === 0 && only !== undefined && refused.length === input.urls.length)
    throw new AppError(only.code as ErrorCode, `none of these addresses can be added: ${only.reason}`, {
      details: { refused },
    });
  return { crawl: await getCrawl(app, row.id), added: admitted.length, refused };
}

const REASONS: Partial<Record<ErrorCode, (crawl: CrawlRow) => string>> = {
  PAGE_LIMIT: ({ max_pages }) => `the crawl takes ${max_pages} pages`,
  DEPTH_LIMIT: ({ max_depth }) => `the crawl goes ${max_depth} links deep`,
  OUT_OF_SCOPE: () => 'the crawl does not go there',
  DOMAIN_BLOCKED: () => 'the domain is blocked',
  TRAP_DETECTED: () => 'the address looks like one of an endless series',
  SCORE_TOO_LOW: () => 'the address fits the keywords of the crawl too little',
  URL_INVALID: () => 'the address is too long',
};

function sort(app: App, given: readonly string[]): { urls: string[]; refused: Answer['refused'] } {
  const urls = new Set<string>();
  const refused: Answer['refused'] = [];
  for (const url of given) {
    const parsed = parseUrl(url);
    const verdict = parsed.ok ? app.guard.checkUrl(new URL(parsed.url)) : undefined;
    if (!parsed.ok) refused.push({ url, code: parsed.code, reason: parsed.reason });
    else if (verdict?.allowed === false) refused.push({ url, code: 'URL_BLOCKED', reason: verdict.reason });
    else urls.add(parsed.url);
  }
  return { urls: [...urls], refused };
}

/** The same checks as for a link that was found on a page of the crawl. */
async function admit(
  app: App,
  row: CrawlRow,
  urls: readonly string[],
  input: z.output<typeof AddToFrontierInput>,
  createdBy: string,
): Promise<{ admitted: AdmittedTask[]; refused: { url: string; code: ErrorCode }[] }> {
  const { database, settings } = app;
  const crawl = toContext(row);
  const at = { crawl, depth: input.depth, parentId: null };
  const traps = new TrapGuard(settings.frontier);
  const candidates: Candidate[] = [];
  const rejected: { url: string; code: ErrorCode }[] = [];
  const refused: Refusals = {};
  for (const url of urls) {
    const judged = admitLinks([{ url, text: '', rel: '' }], at, traps, settings.frontier);
    for (const candidate of judged.candidates) candidates.push({ ...candidate, behind: 0, priority: input.priority });
    for (const code of Object.keys(judged.refused) as ErrorCode[]) {
      rejected.push({ url, code });
      refuse(refused, code, [url]);
    }
  }
  const domainIds = await ensureDomainIds(
    database,
    candidates.map(({ domain }) => domain),
  );
  const entry = { crawl, candidates, refused, createdBy };
  const result = await database.transaction(async (tx) => {
    const done = await admitTasks(tx, [entry], domainIds, admissionRules(settings));
    if (done.closed.length > 0)
      throw new AppError('STATE_CONFLICT', 'the crawl is over', { hint: 'Leave crawl_id out to start a new one.' });
    return done;
  });
  await announceChanges(app, { waiting: result.admitted, crawls: [row.id] });
  return { admitted: result.admitted, refused: [...rejected, ...result.refused] };
}
