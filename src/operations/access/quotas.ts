import { z } from 'zod';
import type { App } from '../../app.ts';
import {
  findQuotaHolders,
  lockQuotas,
  type QuotaHolder,
  type QuotaLimits,
  type QuotaUse,
  readQuotaUse,
} from '../../db/access/quotas.ts';
import { AppError } from '../../errors.ts';
import type { Sql, Transaction } from '../../ports/database.ts';
import { Time } from '../schemas.ts';

const count = z.number().int();
const limit = count.nullable().describe('Null: no limit.');

/** A quota in force and what is used of it. */
export const QuotaReport = z
  .object({
    holder: z.enum(['key', 'user']).describe('Whose quota it is: of this key, or of the person over all their keys.'),
    open_crawls: z.object({ limit, used: count }),
    pages_per_day: z.object({
      limit,
      used: count.describe('Stored today (UTC).'),
      held: count.describe('What open crawls may still fetch: it is set aside for them.'),
      resets_at: Time,
    }),
  })
  .meta({ id: 'QuotaReport' });
export type QuotaReport = z.output<typeof QuotaReport>;

/** Who pays for a crawl: `key:ID` or `user:ID` as in created_by, and the person where that is known besides. */
export interface Payer {
  createdBy: string;
  userId?: string | null | undefined;
}

const idOf = (name: string, kind: 'key' | 'user') =>
  name.startsWith(`${kind}:`) ? name.slice(kind.length + 1) : undefined;

/** The key and the person whose quotas hold for a payer; none hold for what the installation starts itself. */
export async function findHolders(sql: Sql, { createdBy, userId }: Payer): Promise<QuotaHolder[]> {
  const keyId = idOf(createdBy, 'key');
  const person = userId ?? idOf(createdBy, 'user');
  return keyId === undefined && person === undefined ? [] : findQuotaHolders(sql, keyId, person);
}

interface Ask {
  /** Crawls that would be open in addition. */
  crawls: number;
  /** Pages that would be set aside in addition. */
  pages: number;
}

/**
 * Refuses with QUOTA_EXCEEDED what does not fit into the quotas of a payer. Starts of the same holder wait for each other until the transaction ends,
 * so that two at once cannot use the same pages of a day. Nothing is locked or counted where no quota is set.
 */
export async function requireQuota(
  app: App,
  tx: Transaction,
  holders: readonly QuotaHolder[],
  ask: Ask,
): Promise<void> {
  const limited = holders.filter((holder) => isLimited(limitsOf(app, holder)));
  if (limited.length === 0) return;
  const ids = limited.map(({ id }) => id);
  await lockQuotas(tx, ids);
  const uses = new Map((await readQuotaUse(tx, ids)).map((use) => [use.id, use]));
  for (const holder of limited) check(holder, limitsOf(app, holder), uses.get(holder.id)!, ask);
}

/** 0: no limit. */
type Limits = { [Name in keyof QuotaLimits]: number };

const limitsOf = ({ settings }: App, holder: QuotaLimits): Limits => ({
  max_open_crawls: holder.max_open_crawls ?? settings.quota.maxOpenCrawls,
  max_pages_per_day: holder.max_pages_per_day ?? settings.quota.maxPagesPerDay,
});
const isLimited = ({ max_open_crawls, max_pages_per_day }: Limits) => max_open_crawls > 0 || max_pages_per_day > 0;

/** When an open crawl ends is not known. */
const OPEN_RETRY_MS = 60_000;

function check({ kind }: QuotaHolder, limits: Limits, use: QuotaUse, ask: Ask): void {
  const whose = kind === 'key' ? 'this key' : 'the person this counts for';
  const most = limits.max_open_crawls;
  if (most > 0 && ask.crawls > 0 && use.open_crawls + ask.crawls > most)
    throw new AppError('QUOTA_EXCEEDED', `${whose} may have ${most} crawls open at once, and has ${use.open_crawls}`, {
      details: { quota: 'max_open_crawls', holder: kind, limit: most, used: use.open_crawls, resets_at: null },
      retryAfterMs: OPEN_RETRY_MS,
      hint: 'Wait for one to end, or cancel one; paused crawls are open.',
    });
  const pages = limits.max_pages_per_day;
  const left = Math.max(0, pages - use.pages - use.pages_held);
  if (pages === 0 || ask.pages <= left) return;
  throw new AppError(
    'QUOTA_EXCEEDED',
    `${ask.pages} pages are asked for, and ${whose} has ${left} of ${pages} left today`,
    {
      details: {
        quota: 'max_pages_per_day',
        holder: kind,
        limit: pages,
        used: use.pages,
        held: use.pages_held,
        asked: ask.pages,
        left,
        resets_at: use.resets_at.toISOString(),
      },
      retryAfterMs: Math.max(1_000, use.resets_at.getTime() - Date.now()),
      hint:
        left > 0
          ? `Ask for ${left} pages or fewer (max_pages), or wait until ${use.resets_at.toISOString()}.`
          : `Wait until ${use.resets_at.toISOString()}, or for open crawls to end: what they may still fetch is set aside.`,
    },
  );
}

/** What holds for a caller, and what is used of it. */
export async function reportQuotas(app: App, payer: Payer): Promise<QuotaReport[]> {
  const holders = await findHolders(app.database, payer);
  if (holders.length === 0) return [];
  const uses = await readQuotaUse(
    app.database,
    holders.map(({ id }) => id),
  );
  return holders.map((holder) => {
    const use = uses.find(({ id }) => id === holder.id)!;
    const limits = limitsOf(app, holder);
    return {
      holder: holder.kind,
      open_crawls: { limit: limits.max_open_crawls || null, used: use.open_crawls },
      pages_per_day: {
        limit: limits.max_pages_per_day || null,
        used: use.pages,
        held: use.pages_held,
        resets_at: use.resets_at,
      },
    };
  });
}
