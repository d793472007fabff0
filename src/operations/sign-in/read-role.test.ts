import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readRole } from './read-role.ts';

const map = { roleMap: ['crawl-admins=admin', 'crawl-ops=operator'] };

it('reads a role from a claim: by name or by the map, the widest of several', () => {
  const read = (groups: unknown) => readRole({ roleClaim: 'groups', ...map }, { groups });
  assert.equal(read('viewer'), 'viewer');
  assert.equal(read(['viewer', 'crawl-ops']), 'operator');
  assert.equal(read(['crawl-ops', 'crawl-admins', 'viewer']), 'admin');
  for (const none of [undefined, null, [], 'Admin', { admin: true }, [['x']], 7]) assert.equal(read(none), null);
});

it('follows dots into a claim, and takes a claim whose own name has dots', () => {
  const read = (roleClaim: string, claims: object) => readRole({ roleClaim, ...map }, claims);
  assert.equal(read('realm_access.roles', { realm_access: { roles: ['operator'] } }), 'operator');
  assert.equal(read('https://example.com/roles', { 'https://example.com/roles': 'admin' }), 'admin');
  for (const name of ['constructor.name', '__proto__.admin', 'a.b.c']) assert.equal(read(name, { a: 'b' }), null);
});

it('leaves roles alone where no claim is named', () => {
  assert.equal(readRole({ roleClaim: undefined, roleMap: [] }, { groups: ['admin'] }), undefined);
});
