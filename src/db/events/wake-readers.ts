import type { Sql } from '../../ports/database.ts';
import { CRAWL_CHANNEL } from '../crawls/crawls.ts';

/** Wakes whoever reads the log, after the commit. It carries nothing: a reader that misses it looks by itself soon after. */
export async function wakeReaders(sql: Sql): Promise<void> {
  await sql.query(`SELECT pg_notify($1, '')`, [CRAWL_CHANNEL]);
}
