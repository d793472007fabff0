import type { Scope } from '../../db/access/api-keys.ts';
import type { Role } from '../../db/access/users.ts';

export type { Scope } from '../../db/access/api-keys.ts';
export type Access = 'public' | Scope;

/** The caller of an operation. What it may do follows from `scopes`, and what it may see from `collections`. */
export interface Caller {
  kind: 'anonymous' | 'session' | 'key';
  /** Names the caller in rate windows, idempotency keys and `created_by`. */
  name: string;
  scopes: readonly Scope[];
  rpm: number;
  user?: { id: string; email: string; role: Role; mustChangePassword: boolean };
  session?: { id: string; lastSeenAt: Date };
  key?: { id: string; name: string; userId: string | null; expiresAt: Date | null };
  /** The collections it is bound to: it sees nothing else. Undefined: it is not bound. */
  collections?: readonly string[] | undefined;
  /** The secret the caller came with; seals answers that hold secrets. Never logged. */
  credential?: string;
  /** When the credential ends by itself. */
  expiresAt?: Date | null;
}

/** Requests a minute by role; an API key has its own. */
export const LIMITS = { anonymous: 10, viewer: 100, operator: 100, admin: 500, seeding: 10 } as const;

/** A wider scope holds the narrower ones. */
const HOLDS: Record<Scope, readonly Scope[]> = {
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
};

export const mayAccess = (caller: Caller, access: Access) =>
  access === 'public' || caller.scopes.some((scope) => HOLDS[scope].includes(access));

const SCOPES: Record<Role, Scope> = { viewer: 'read', operator: 'write', admin: 'admin' };

/** Viewers read, operators also write, admins may do everything. */
export const scopesOfRole = (role: Role): Scope[] => [SCOPES[role]];

/** What is left of the scopes of a key that belongs to a person: it can do no more than the person. */
export function limitScopes(scopes: readonly Scope[], role: Role | null): Scope[] {
  if (role === null) return [...scopes];
  const widest = SCOPES[role];
  return [...new Set(scopes.map((scope) => (HOLDS[widest].includes(scope) ? scope : widest)))];
}

/** No person and no key has this id. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The person behind a caller, whose keys and crawls these are. */
export const personOf = (caller: Caller): string | undefined => caller.user?.id ?? caller.key?.userId ?? undefined;

/** Whom crawls of this caller belong to: the person, or a key that belongs to no person. */
export const ownerOf = (caller: Caller): string => personOf(caller) ?? caller.key?.id ?? NOBODY;
