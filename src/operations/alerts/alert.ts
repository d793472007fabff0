import { z } from 'zod';
import { Id, Json, Time } from '../schemas.ts';

export const Severity = z.enum(['info', 'warning', 'critical']);
export const AlertStatus = z.enum(['firing', 'acknowledged', 'resolved']);

export const Alert = z
  .object({
    id: Id,
    kind: z.string().describe('The name of the rule.'),
    subject: z.string().describe('What it is about: a worker, a domain; empty for the whole installation.'),
    severity: Severity,
    status: AlertStatus,
    message: z.string(),
    value: z.number().nullable().describe('What was measured last.'),
    threshold: z.number().nullable(),
    details: Json,
    raised_at: Time,
    acknowledged_at: Time.nullable(),
    acknowledged_by: z.string().nullable(),
    resolved_at: Time.nullable(),
  })
  .meta({ id: 'Alert' });
export type Alert = z.output<typeof Alert>;
