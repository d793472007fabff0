import { z } from 'zod';
import { AddToFrontierInput, addToFrontier, FrontierAnswer } from '../../../operations/frontier/add-to-frontier.ts';
import { ClearFrontierInput, clearFrontier, FrontierCleared } from '../../../operations/frontier/clear-frontier.ts';
import { FrontierStats, getFrontierStats } from '../../../operations/frontier/get-frontier-stats.ts';
import { ListFrontierInput, listFrontier } from '../../../operations/frontier/list-frontier.ts';
import { TaskPage } from '../../../operations/tasks/list-tasks.ts';
import { recover } from '../../../scheduler/recover.ts';
import { GIVEN_URL } from '../declared.ts';
import { route } from '../route.ts';

const tag = 'frontier';
const FIRST = 1;
/** Addresses that were all refused for the same reason are answered with it. */
const ADDS = [
  ...GIVEN_URL,
  ...(['STATE_CONFLICT', 'OUT_OF_SCOPE', 'DEPTH_LIMIT', 'PAGE_LIMIT', 'LINK_LIMIT'] as const),
  ...(['NOFOLLOW', 'SCORE_TOO_LOW', 'TRAP_DETECTED', 'QUOTA_EXCEEDED'] as const),
];

export const frontierRoutes = [
  route({
    method: 'GET',
    path: '/frontier/stats',
    id: 'getFrontierStats',
    summary: 'How much waits, and where',
    tag,
    access: 'read',
    bound: 'refused',
    response: FrontierStats,
    handler: ({ app }) => getFrontierStats(app),
  }),
  route({
    method: 'GET',
    path: '/frontier/urls',
    id: 'listFrontier',
    summary: 'List what waits',
    tag,
    access: 'read',
    bound: 'refused',
    errors: ['NOT_FOUND'],
    query: ListFrontierInput,
    response: TaskPage,
    handler: ({ app, query }) => listFrontier(app, query),
  }),
  route({
    method: 'POST',
    path: '/frontier/add',
    id: 'addToFrontier',
    summary: 'Add addresses',
    description: 'To an open crawl, or as a crawl of their own. What cannot be taken is listed with its reason.',
    tag,
    access: 'write',
    bound: 'refused',
    errors: ADDS,
    example: { body: { urls: ['{site}/docs/guides'], priority: 'low' } },
    creates: 'plain',
    body: AddToFrontierInput,
    status: 202,
    response: FrontierAnswer,
    handler: ({ app, body, caller }) => addToFrontier(app, body, caller.name),
  }),
  route({
    method: 'POST',
    path: '/frontier/seed',
    id: 'seedFrontier',
    summary: 'Add addresses that go before all others',
    description: 'Ten requests a minute.',
    tag,
    access: 'admin',
    bound: 'refused',
    errors: ADDS,
    example: { body: { urls: ['{site}/docs/guides'] } },
    creates: 'plain',
    limit: 'seeding',
    body: AddToFrontierInput.omit({ priority: true }),
    status: 202,
    response: FrontierAnswer,
    handler: ({ app, body, caller }) => addToFrontier(app, { ...body, priority: FIRST }, caller.name),
  }),
  route({
    method: 'POST',
    path: '/frontier/recover',
    id: 'recoverFrontier',
    summary: 'Bring back what lost workers held',
    description: 'The scheduler does this by itself every few seconds.',
    tag,
    access: 'admin',
    bound: 'refused',
    response: z.object({ recovered: z.number().int() }),
    handler: async ({ app }) => ({ recovered: await recover(app) }),
  }),
  route({
    method: 'DELETE',
    path: '/frontier',
    id: 'clearFrontier',
    summary: 'Cancel what waits: of a crawl, of a domain, or everywhere',
    tag,
    access: 'admin',
    bound: 'refused',
    errors: ['NOT_FOUND'],
    example: { query: { crawl_id: '{crawl}' } },
    query: ClearFrontierInput,
    response: FrontierCleared,
    handler: ({ app, query }) => clearFrontier(app, query),
  }),
];
