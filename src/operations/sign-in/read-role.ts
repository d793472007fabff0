import type { Settings } from '../../config/settings.ts';
import type { Role } from '../../db/access/users.ts';

/** From the narrowest to the widest. */
const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

/** The widest role the claim of the settings gives; null: it gives none. Undefined when no claim decides. */
export function readRole(
  { roleClaim, roleMap }: Pick<Settings['oidc'], 'roleClaim' | 'roleMap'>,
  claims: object,
): Role | null | undefined {
  if (roleClaim === undefined) return undefined;
  // A name with dots is a claim of its own (https://example.com/roles), or a path into one (realm_access.roles).
  const whole = valueAt(claims, roleClaim);
  const value = whole ?? roleClaim.split('.').reduce<unknown>(valueAt, claims);
  const given = new Set((Array.isArray(value) ? value : [value]).map(String));
  const mapped = roleMap.map((entry) => entry.split('=') as [string, Role]);
  return (
    ROLES.findLast((role) => given.has(role) || mapped.some(([name, means]) => means === role && given.has(name))) ??
    null
  );
}

const valueAt = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
