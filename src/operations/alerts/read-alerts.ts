import { z } from 'zod';
import type { App } from '../../app.ts';
import { findAlert, listAlertRows } from '../../db/alerts/alerts.ts';
import { found } from '../found.ts';
import { decodeIdCursor, type ListPage, ListQuery, toListPage } from '../paging.ts';
import { type Alert, AlertStatus, Severity } from './alert.ts';

export const ListAlertsInput = ListQuery.extend({
  status: z
    .enum(['open', ...AlertStatus.options])
    .optional()
    .describe('open: firing or acknowledged. Absent: past ones too.'),
  severity: Severity.optional(),
  kind: z.string().max(100).optional(),
});

/** Newest first. */
export async function listAlerts(app: App, input: z.output<typeof ListAlertsInput>): Promise<ListPage<Alert>> {
  const { status, limit } = input;
  const statuses =
    status === 'open' ? (['firing', 'acknowledged'] as const) : status === undefined ? undefined : [status];
  const rows = await listAlertRows(app.database, {
    limit: limit + 1,
    beforeId: decodeIdCursor(input.cursor),
    statuses,
    severity: input.severity,
    kind: input.kind,
  });
  return toListPage(
    rows,
    limit,
    (row) => [row.id],
    (row) => row,
  );
}

export async function getAlert(app: App, id: string): Promise<Alert> {
  return found(await findAlert(app.database, id), 'alert', id);
}
