import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst } from '../listing.ts';

export interface SilenceRow {
  id: string;
  kind: string | null;
  subject: string | null;
  reason: string | null;
  created_by: string;
  created_at: Date;
  until: Date;
}

const COLUMNS = 'id, kind, subject, reason, created_by, created_at, until';

export async function insertSilence(
  sql: Sql,
  silence: Omit<SilenceRow, 'created_at' | 'until'>,
  durationS: number,
): Promise<SilenceRow> {
  const { id, kind, subject, reason, created_by } = silence;
  const rows = await sql.query<SilenceRow>(
    `INSERT INTO alert_silences (id, kind, subject, reason, created_by, until)
     VALUES ($1, $2, $3, $4, $5, now() + $6::int * interval '1 second') RETURNING ${COLUMNS}`,
    [id, kind, subject, reason, created_by, durationS],
  );
  return rows[0]!;
}

export const SILENCE_SORTS = { created: newestFirst() };

/** Those in force. */
export const listSilenceRows = (): Listing<SilenceRow> => ({
  columns: COLUMNS,
  from: 'alert_silences',
  filters: [['until > now()']],
});

export async function deleteSilenceRow(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql.query('DELETE FROM alert_silences WHERE id = $1 RETURNING id', [id]);
  return rows.length > 0;
}

export async function deletePastSilences(sql: Sql): Promise<void> {
  await sql.query('DELETE FROM alert_silences WHERE until < now()');
}
