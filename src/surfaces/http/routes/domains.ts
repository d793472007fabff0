import { BlockDomainInput, blockDomain } from '../../../operations/domains/block-domain.ts';
import {
  controlDomainTasks,
  RestartDomainTasksInput,
  restartDomainTasks,
  TasksMoved,
} from '../../../operations/domains/control-domain-tasks.ts';
import { Domain, DomainParams, DomainPolicyInput } from '../../../operations/domains/domain.ts';
import { getDomain } from '../../../operations/domains/get-domain.ts';
import { DomainRobots, getDomainRobots } from '../../../operations/domains/get-domain-robots.ts';
import { DomainStats, getDomainStats } from '../../../operations/domains/get-domain-stats.ts';
import { ListDomainsInput, listDomains } from '../../../operations/domains/list-domains.ts';
import { resetDomain } from '../../../operations/domains/reset-domain.ts';
import { unblockDomain } from '../../../operations/domains/unblock-domain.ts';
import { updateDomain } from '../../../operations/domains/update-domain.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { PriorityInput } from '../../../operations/tasks/control-task.ts';
import { prioritiseDomain } from '../../../operations/tasks/prioritise.ts';
import { route } from '../route.ts';

const tag = 'domains';

const stepRoute = (step: 'pause' | 'resume' | 'cancel', summary: string) =>
  route({
    method: 'POST',
    path: `/domains/:domain/tasks/${step}`,
    id: `${step}DomainTasks`,
    summary,
    tag,
    access: 'write',
    bound: 'refused',
    params: DomainParams,
    response: TasksMoved,
    handler: ({ app, params }) => controlDomainTasks(app, params.domain, step),
  });

export const domainRoutes = [
  route({
    method: 'GET',
    path: '/domains',
    id: 'listDomains',
    summary: 'List domains',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListDomainsInput,
    response: listPageOf(Domain),
    handler: ({ app, query }) => listDomains(app, query),
  }),
  route({
    method: 'GET',
    path: '/domains/:domain',
    id: 'getDomain',
    summary: 'Show a domain: policy, pace and circuit',
    tag,
    access: 'read',
    bound: 'refused',
    params: DomainParams,
    response: Domain,
    handler: ({ app, params }) => getDomain(app, params.domain),
  }),
  route({
    method: 'PUT',
    path: '/domains/:domain',
    id: 'updateDomain',
    summary: 'Set the policy of a domain',
    description: 'Only the fields given change; null goes back to the default. The domain need not be known yet.',
    tag,
    access: 'write',
    bound: 'refused',
    example: { body: { rate_limit_rps: 2, max_concurrency: 2 } },
    params: DomainParams,
    body: DomainPolicyInput,
    response: Domain,
    handler: ({ app, params, body }) => updateDomain(app, params.domain, body),
  }),
  route({
    method: 'POST',
    path: '/domains/:domain/block',
    id: 'blockDomain',
    summary: 'Block a domain',
    description: 'Nothing is fetched from it until it is unblocked; what waits, waits.',
    tag,
    access: 'write',
    bound: 'refused',
    example: { params: { domain: '{spare_domain}' }, body: { reason: 'asked by its owner' } },
    params: DomainParams,
    body: BlockDomainInput,
    response: Domain,
    handler: ({ app, params, body }) => blockDomain(app, params.domain, body),
  }),
  route({
    method: 'POST',
    path: '/domains/:domain/unblock',
    id: 'unblockDomain',
    summary: 'Unblock a domain',
    tag,
    access: 'write',
    bound: 'refused',
    params: DomainParams,
    response: Domain,
    handler: ({ app, params }) => unblockDomain(app, params.domain),
  }),
  route({
    method: 'POST',
    path: '/domains/:domain/reset',
    id: 'resetDomain',
    summary: 'Reset a domain',
    description: 'Unblocks it, closes its circuit and forgets the extra delays.',
    tag,
    access: 'admin',
    bound: 'refused',
    params: DomainParams,
    response: Domain,
    handler: ({ app, params }) => resetDomain(app, params.domain),
  }),
  route({
    method: 'GET',
    path: '/domains/:domain/robots',
    id: 'getDomainRobots',
    summary: 'Show the robots.txt files of a domain, as kept',
    tag,
    access: 'read',
    bound: 'refused',
    params: DomainParams,
    response: DomainRobots,
    handler: ({ app, params }) => getDomainRobots(app, params.domain),
  }),
  route({
    method: 'GET',
    path: '/domains/:domain/stats',
    id: 'getDomainStats',
    summary: 'Figures of a domain',
    tag,
    access: 'read',
    bound: 'refused',
    params: DomainParams,
    response: DomainStats,
    handler: ({ app, params }) => getDomainStats(app, params.domain),
  }),
  stepRoute('pause', 'Pause every task of a domain'),
  stepRoute('resume', 'Resume the paused tasks of a domain'),
  stepRoute('cancel', 'Cancel every task of a domain that is not done'),
  route({
    method: 'POST',
    path: '/domains/:domain/tasks/restart',
    id: 'restartDomainTasks',
    summary: 'Fetch pages of a domain again: the failed ones, or what the statuses name',
    tag,
    access: 'write',
    bound: 'refused',
    params: DomainParams,
    body: RestartDomainTasksInput,
    response: TasksMoved,
    handler: ({ app, params, body }) => restartDomainTasks(app, params.domain, body),
  }),
  route({
    method: 'PATCH',
    path: '/domains/:domain/tasks/priority',
    id: 'prioritiseDomainTasks',
    summary: 'Change the priority of all that waits of a domain',
    tag,
    access: 'write',
    bound: 'refused',
    example: { body: { priority: 'low' } },
    params: DomainParams,
    body: PriorityInput,
    response: TasksMoved,
    handler: ({ app, params, body }) => prioritiseDomain(app, params.domain, body.priority),
  }),
];
