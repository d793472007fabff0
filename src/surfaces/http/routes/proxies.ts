import { DomainParams } from '../../../operations/domains/domain.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { AssignProxiesInput, assignDomainProxies } from '../../../operations/proxies/assign-domain-proxies.ts';
import { createProxy } from '../../../operations/proxies/create-proxy.ts';
import { deleteProxy } from '../../../operations/proxies/delete-proxy.ts';
import { DomainProxy, DomainProxyParams } from '../../../operations/proxies/domain-proxy.ts';
import { DomainProxyHealth, getDomainProxyHealth } from '../../../operations/proxies/get-domain-proxy-health.ts';
import { getProxy } from '../../../operations/proxies/get-proxy.ts';
import { listDomainProxies } from '../../../operations/proxies/list-domain-proxies.ts';
import { ListProxiesInput, listProxies } from '../../../operations/proxies/list-proxies.ts';
import { ProxyInfo, ProxyInput } from '../../../operations/proxies/proxy.ts';
import { removeDomainProxy } from '../../../operations/proxies/remove-domain-proxy.ts';
import { switchProxy } from '../../../operations/proxies/switch-proxy.ts';
import { ProxyTest, TestProxyInput, testProxy } from '../../../operations/proxies/test-proxy.ts';
import { UpdateDomainProxyInput, updateDomainProxy } from '../../../operations/proxies/update-domain-proxy.ts';
import { updateProxy } from '../../../operations/proxies/update-proxy.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { VISITS_SITE } from '../declared.ts';
import { route } from '../route.ts';

const tag = 'proxies';

export const proxyRoutes = [
  route({
    method: 'GET',
    path: '/proxies',
    id: 'listProxies',
    summary: 'List proxies',
    tag,
    access: 'read',
    query: ListProxiesInput,
    response: listPageOf(ProxyInfo),
    handler: ({ app, query }) => listProxies(app, query),
  }),
  route({
    method: 'POST',
    path: '/proxies',
    id: 'createProxy',
    summary: 'Add a proxy',
    tag,
    access: 'write',
    errors: ['CONFLICT', 'URL_BLOCKED'],
    example: { body: { name: 'Office {number}', url: '{proxy_url}', country_code: 'DE' } },
    creates: 'plain',
    body: ProxyInput,
    status: 201,
    response: ProxyInfo,
    handler: ({ app, body }) => createProxy(app, body),
  }),
  route({
    method: 'POST',
    path: '/proxies/test',
    id: 'testProxy',
    summary: 'Fetch a page through a proxy',
    description: 'Answers 200 with ok: false and a code when the proxy does not work.',
    tag,
    access: 'write',
    errors: [...VISITS_SITE, 'NOT_FOUND'],
    example: { body: { url: '{site}', target_url: '{site}/', timeout_ms: 2_000 } },
    body: TestProxyInput,
    response: ProxyTest,
    handler: ({ app, body }) => testProxy(app, body),
  }),
  route({
    method: 'GET',
    path: '/proxies/:id',
    id: 'getProxy',
    summary: 'Show a proxy',
    tag,
    access: 'read',
    params: IdParams,
    response: ProxyInfo,
    handler: ({ app, params }) => getProxy(app, params.id),
  }),
  route({
    method: 'PUT',
    path: '/proxies/:id',
    id: 'updateProxy',
    summary: 'Change a proxy',
    tag,
    access: 'write',
    errors: ['CONFLICT', 'URL_BLOCKED'],
    example: { body: { name: 'Office {number}', url: '{proxy_url}' } },
    params: IdParams,
    body: ProxyInput,
    response: ProxyInfo,
    handler: ({ app, params, body }) => updateProxy(app, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/proxies/:id',
    id: 'deleteProxy',
    summary: 'Delete a proxy',
    tag,
    access: 'write',
    params: IdParams,
    handler: ({ app, params }) => deleteProxy(app, params.id),
  }),
  route({
    method: 'POST',
    path: '/proxies/:id/enable',
    id: 'enableProxy',
    summary: 'Turn a proxy on',
    description: 'Forgives its past failures, for every domain that uses it.',
    tag,
    access: 'write',
    params: IdParams,
    response: ProxyInfo,
    handler: ({ app, params }) => switchProxy(app, params.id, true),
  }),
  route({
    method: 'POST',
    path: '/proxies/:id/disable',
    id: 'disableProxy',
    summary: 'Turn a proxy off',
    tag,
    access: 'write',
    params: IdParams,
    response: ProxyInfo,
    handler: ({ app, params }) => switchProxy(app, params.id, false),
  }),
  route({
    method: 'GET',
    path: '/domains/:domain/proxies',
    id: 'listDomainProxies',
    summary: 'List the proxies of a domain',
    tag,
    access: 'read',
    params: DomainParams,
    response: listPageOf(DomainProxy),
    handler: ({ app, params }) => listDomainProxies(app, params.domain),
  }),
  route({
    method: 'POST',
    path: '/domains/:domain/proxies',
    id: 'assignDomainProxies',
    summary: 'Give proxies to a domain',
    description: 'From then on its requests go through this pool. Giving one again sets its priority and turns it on.',
    tag,
    access: 'write',
    example: { params: { domain: '{spare_domain}' }, body: { proxy_ids: ['{proxy}'] } },
    creates: 'plain',
    params: DomainParams,
    body: AssignProxiesInput,
    status: 201,
    response: listPageOf(DomainProxy),
    handler: ({ app, params, body }) => assignDomainProxies(app, params.domain, body),
  }),
  route({
    method: 'GET',
    path: '/domains/:domain/proxies/health',
    id: 'getDomainProxyHealth',
    summary: 'How the proxies of a domain do',
    tag,
    access: 'read',
    params: DomainParams,
    response: DomainProxyHealth,
    handler: ({ app, params }) => getDomainProxyHealth(app, params.domain),
  }),
  route({
    method: 'PATCH',
    path: '/domains/:domain/proxies/:proxyId',
    id: 'updateDomainProxy',
    summary: 'Change priority or state of a proxy for a domain',
    tag,
    access: 'write',
    example: { params: { domain: '{proxied_domain}', proxyId: '{assigned_proxy}' }, body: { priority: 2 } },
    params: DomainProxyParams,
    body: UpdateDomainProxyInput,
    handler: ({ app, params, body }) => updateDomainProxy(app, params.domain, params.proxyId, body),
  }),
  route({
    method: 'DELETE',
    path: '/domains/:domain/proxies/:proxyId',
    id: 'removeDomainProxy',
    summary: 'Take a proxy from a domain',
    description: 'When the last one leaves, the domain is fetched directly again.',
    tag,
    access: 'write',
    example: { params: { domain: '{proxied_domain}', proxyId: '{assigned_proxy}' } },
    params: DomainProxyParams,
    handler: ({ app, params }) => removeDomainProxy(app, params.domain, params.proxyId),
  }),
];
