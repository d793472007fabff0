import { z } from 'zod';
import { Id, Time } from '../schemas.ts';

export const Session = z
  .object({
    id: Id,
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: Time,
    last_seen_at: Time.describe('To the minute.'),
    expires_at: Time.describe('24 hours after the last use, 30 days after the log-in at the latest.'),
    current: z.boolean().describe('The session this request came with.'),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof Session>;
