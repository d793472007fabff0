import { acknowledgeAlert } from '../../../operations/alerts/acknowledge-alert.ts';
import { Alert } from '../../../operations/alerts/alert.ts';
import {
  CreateSilenceInput,
  createSilence,
  deleteSilence,
  ListSilencesInput,
  listSilences,
  Silence,
} from '../../../operations/alerts/manage-silences.ts';
import { getAlert, ListAlertsInput, listAlerts } from '../../../operations/alerts/read-alerts.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { route } from '../route.ts';

const tag = 'alerts';

export const alertRoutes = [
  route({
    method: 'GET',
    path: '/alerts',
    id: 'listAlerts',
    summary: 'List alerts, those that stand and past ones',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListAlertsInput,
    response: listPageOf(Alert),
    handler: ({ app, query }) => listAlerts(app, query),
  }),
  route({
    method: 'GET',
    path: '/alerts/silences',
    id: 'listSilences',
    summary: 'List the silences in force',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListSilencesInput,
    response: listPageOf(Silence),
    handler: ({ app, query }) => listSilences(app, query),
  }),
  route({
    method: 'POST',
    path: '/alerts/silences',
    id: 'createSilence',
    summary: 'Raise no such alerts for a while',
    description: 'By rule, by subject, or both; neither silences all. Alerts that stand are left as they are.',
    tag,
    access: 'write',
    bound: 'refused',
    example: { body: { kind: 'worker_silent', duration_s: 3600 } },
    creates: 'plain',
    body: CreateSilenceInput,
    status: 201,
    response: Silence,
    handler: ({ app, body, caller }) => createSilence(app, body, caller.name),
  }),
  route({
    method: 'DELETE',
    path: '/alerts/silences/:id',
    id: 'deleteSilence',
    summary: 'End a silence',
    tag,
    access: 'write',
    bound: 'refused',
    params: IdParams,
    handler: ({ app, params }) => deleteSilence(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/alerts/:id',
    id: 'getAlert',
    summary: 'Show an alert',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: Alert,
    handler: ({ app, params }) => getAlert(app, params.id),
  }),
  route({
    method: 'POST',
    path: '/alerts/:id/acknowledge',
    id: 'acknowledgeAlert',
    summary: 'Note that somebody looks after it',
    tag,
    access: 'write',
    bound: 'refused',
    errors: ['STATE_CONFLICT'],
    params: IdParams,
    response: Alert,
    handler: ({ app, params, caller }) => acknowledgeAlert(app, params.id, caller.name),
  }),
];
