import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Access, Caller } from './caller.ts';
import { limitScopes, mayAccess, scopesOfRole } from './caller.ts';

const may = (scopes: Caller['scopes'], access: Access) => mayAccess({ kind: 'key', name: 'x', rpm: 1, scopes }, access);
const ACCESS = ['public', 'read', 'write', 'admin'] as const;

it('viewers read, operators also write, admins do everything', () => {
  const allowed = (['viewer', 'operator', 'admin'] as const).map((role) =>
    ACCESS.filter((access) => may(scopesOfRole(role), access)),
  );
  assert.deepEqual(allowed, [ACCESS.slice(0, 2), ACCESS.slice(0, 3), ACCESS.slice(0)]);
});

it('a key can do what both it and its owner may do, and nothing else', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('read', 'write', 'admin'), { minLength: 1 }),
      fc.constantFrom('viewer', 'operator', 'admin', null),
      fc.constantFrom(...ACCESS),
      (scopes, role, access) => {
        const both = may(scopes, access) && (role === null || may(scopesOfRole(role), access));
        assert.equal(may(limitScopes(scopes, role), access), both);
      },
    ),
  );
});
