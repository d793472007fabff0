import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { type Listing, newestFirst } from '../listing.ts';

export type Severity = 'info' | 'warning' | 'critical';
export type AlertStatus = 'firing' | 'acknowledged' | 'resolved';

export interface AlertRow {
  id: string;
  kind: string;
  subject: string;
  severity: Severity;
  status: AlertStatus;
  message: string;
  value: number | null;
  threshold: number | null;
  details: Record<string, unknown>;
  raised_at: Date;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  resolved_at: Date | null;
}

export type NewAlert = Pick<AlertRow, 'id' | 'kind' | 'subject' | 'severity' | 'message' | 'value' | 'threshold'>;

const COLUMNS = `id, kind, subject, severity, status, message, value, threshold, details, raised_at, acknowledged_at,
  acknowledged_by, resolved_at`;

/**
 * Raises alerts that do not stand yet and are not silenced; of those that stand, only the value changes. `raised`
 * distinguishes them.
 */
export function upsertAlerts(sql: Sql, alerts: readonly NewAlert[]): Promise<(AlertRow & { raised: boolean })[]> {
  return sql.query(
    `INSERT INTO alerts AS a (id, kind, subject, severity, message, value, threshold)
     SELECT x.id, x.kind, x.subject, x.severity, x.message, x.value, x.threshold
     FROM json_to_recordset($1::json) AS x (
       id uuid, kind text, subject text, severity text, message text, value float8, threshold float8)
     WHERE NOT EXISTS (
       SELECT 1 FROM alert_silences s
       WHERE s.until > now() AND coalesce(s.kind = x.kind, true) AND coalesce(s.subject = x.subject, true))
     ORDER BY x.kind, x.subject
     ON CONFLICT (kind, subject) WHERE resolved_at IS NULL DO UPDATE SET value = excluded.value
     RETURNING ${COLUMNS}, xmax = 0 AS raised`,
    [toJson(alerts)],
  );
}

/** Ends the alerts of a kind that stand, but for these subjects. */
export function resolveAlerts(sql: Sql, kind: string, standing: readonly string[]): Promise<AlertRow[]> {
  return sql.query(
    `UPDATE alerts SET resolved_at = now() WHERE kind = $1 AND resolved_at IS NULL AND subject <> ALL($2::text[])
     RETURNING ${COLUMNS}`,
    [kind, standing],
  );
}

/** Undefined: it is not there, or not firing. */
export async function acknowledgeAlertRow(sql: Sql, id: string, by: string): Promise<AlertRow | undefined> {
  const rows = await sql.query<AlertRow>(
    `UPDATE alerts SET acknowledged_at = now(), acknowledged_by = $2 WHERE id = $1 AND status = 'firing' RETURNING ${COLUMNS}`,
    [id, by],
  );
  return rows[0];
}

export async function findAlert(sql: Sql, id: string): Promise<AlertRow | undefined> {
  const rows = await sql.query<AlertRow>(`SELECT ${COLUMNS} FROM alerts WHERE id = $1`, [id]);
  return rows[0];
}

export const ALERT_SORTS = { created: newestFirst() };

export const listAlertRows = (filter: {
  statuses: readonly AlertStatus[] | undefined;
  severity: Severity | undefined;
  kind: string | undefined;
}): Listing<AlertRow> => ({
  columns: COLUMNS,
  from: 'alerts',
  filters: [
    ['status = ANY (?)', filter.statuses],
    ['severity = ?', filter.severity],
    ['kind = ?', filter.kind],
  ],
});

/** Alerts that ended long ago; in batches, returns how many went. */
export async function deleteOldAlerts(sql: Sql, days: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM alerts WHERE id IN (
       SELECT id FROM alerts WHERE status = 'resolved' AND resolved_at < now() - $1::int * interval '1 day' ORDER BY id LIMIT $2)
     RETURNING id`,
    [days, limit],
  );
  return rows.length;
}
