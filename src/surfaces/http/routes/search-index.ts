import { getIndexProgress, IndexProgress } from '../../../operations/search/get-index-progress.ts';
import { ReconcileAnswer, ReconcileInput, reconcileIndex } from '../../../operations/search/reconcile-index.ts';
import { ReindexAnswer, ReindexInput, reindex } from '../../../operations/search/reindex.ts';
import { route } from '../route.ts';

const tag = 'search';

export const searchIndexRoutes = [
  route({
    method: 'GET',
    path: '/index',
    id: 'getIndexProgress',
    summary: 'Show how far the index is',
    tag,
    access: 'read',
    bound: 'refused',
    response: IndexProgress,
    handler: ({ app }) => getIndexProgress(app),
  }),
  route({
    method: 'POST',
    path: '/index/reindex',
    id: 'reindex',
    summary: 'Index documents again',
    tag,
    access: 'admin',
    bound: 'refused',
    errors: ['STATE_CONFLICT'],
    body: ReindexInput,
    response: ReindexAnswer,
    handler: ({ app, body }) => reindex(app, body),
  }),
  route({
    method: 'POST',
    path: '/index/reconcile',
    id: 'reconcileIndex',
    summary: 'Compare the index with the database',
    tag,
    access: 'admin',
    bound: 'refused',
    errors: ['STATE_CONFLICT'],
    body: ReconcileInput,
    response: ReconcileAnswer,
    handler: ({ app, body }) => reconcileIndex(app, body),
  }),
];
