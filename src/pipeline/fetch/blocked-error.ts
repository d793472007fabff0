import { AppError } from '../../errors.ts';

export const blockedError = (row: { domain: string; blocked_reason: string | null }) =>
  new AppError('DOMAIN_BLOCKED', `${row.domain} is blocked${row.blocked_reason ? `: ${row.blocked_reason}` : ''}`, {
    details: { domain: row.domain },
    failure: { domain: row.domain },
  });
