import { z } from 'zod';
import { Id, Time } from '../schemas.ts';

const ROLES = ['viewer', 'operator', 'admin'] as const;
export const RoleName = z.enum(ROLES).describe('viewer reads, operator also writes, admin does everything.');

/** What a caller gives; `user` was the first name of viewer and is still taken. */
export const RoleInput = z
  .enum([...ROLES, 'user'])
  .transform((role) => (role === 'user' ? 'viewer' : role))
  .describe('viewer reads, operator also writes, admin does everything; user is another name for viewer.');

export const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u, 'an address such as name@example.com');

/** A person as lists show one. */
export const User = z
  .object({
    id: Id,
    email: z.string(),
    role: RoleName,
    is_active: z.boolean().describe('False: neither the person nor a key of the person gets in.'),
    has_password: z.boolean(),
    has_provider: z.boolean().describe('Has signed in with the OpenID provider before.'),
    link_expires_at: Time.nullable().describe('Until when the invite or reset link works; null: there is none.'),
    created_at: Time,
    updated_at: Time,
    last_login_at: Time.nullable(),
  })
  .meta({ id: 'User' });
export type User = z.output<typeof User>;

/** A link to choose a password with. */
export const PasswordLink = z
  .object({
    path: z.string().describe('On this server, such as /login#invite=…. Shown this once; it works once.'),
    expires_at: Time,
  })
  .meta({ id: 'PasswordLink' });
export type PasswordLink = z.output<typeof PasswordLink>;
