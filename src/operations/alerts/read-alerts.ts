import { z } from 'zod';
import type { App } from '../../app.ts';
import { ALERT_SORTS, findAlert, listAlertRows } from '../../db/alerts/alerts.ts';
import { found } from '../found.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { type Alert, AlertStatus, Severity } from './alert.ts';

export const ListAlertsInput = ListQuery.extend({
  ...sortBy(ALERT_SORTS),
  status: z
    .enum(['open', ...AlertStatus.options])
    .optional()
    .describe('open: firing or acknowledged. Absent: past ones too.'),
  severity: Severity.optional(),
  kind: z.string().max(100).optional(),
});

export function listAlerts(app: App, input: z.output<typeof ListAlertsInput>): Promise<ListPage<Alert>> {
  const { status, severity, kind } = input;
  const statuses =
    status === 'open' ? (['firing', 'acknowledged'] as const) : status === undefined ? undefined : [status];
  return readList(app.database, listAlertRows({ statuses, severity, kind }), ALERT_SORTS, input, (row) => row);
}

export async function getAlert(app: App, id: string): Promise<Alert> {
  return found(await findAlert(app.database, id), 'alert', id);
}
