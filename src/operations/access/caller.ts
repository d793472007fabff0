import type { Scope } from '../../db/access/api-keys.ts';

export type { Scope } from '../../db/access/api-keys.ts';
export type Access = 'public' | Scope;

/** The caller of an operation. What it may do follows from `scopes` alone. */
export interface Caller {
  kind: 'anonymous' | 'session' | 'key';
  /** Names the caller in rate windows, idempotency keys and `created_by`. */
  name: string;
  scopes: readonly Scope[];
  rpm: number;
  user?: { id: string; email: string; role: 'user' | 'admin'; mustChangePassword: boolean };
  key?: { id: string; name: string };
  /** The secret the caller came with; seals answers that hold secrets. Never logged. */
  credential?: string;
  /** When the credential ends by itself. */
  expiresAt?: Date | null;
}

/** Requests a minute by role; an API key has its own. */
export const LIMITS = { anonymous: 10, user: 100, admin: 500, seeding: 10 } as const;

/** A wider scope holds the narrower ones. */
const HOLDS: Record<Scope, readonly Scope[]> = {
  read: ['read'],
  write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
};

export const mayAccess = (caller: Caller, access: Access) =>
  access === 'public' || caller.scopes.some((scope) => HOLDS[scope].includes(access));

/** Role user may read; admins may do everything. */
export const scopesOfRole = (role: 'user' | 'admin'): Scope[] => (role === 'admin' ? ['admin'] : ['read']);
