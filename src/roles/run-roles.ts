import type { App } from '../app.ts';
import { toAppError } from '../errors.ts';

export type Role = (app: App, signal: AbortSignal) => Promise<void>;

/** Longest time that stopping may take. */
const GRACE_MS = 30_000;

/**
 * Runs roles in this process until a signal (SIGTERM, SIGINT) arrives or one of them fails; then all stop: nothing new
 * is taken, what is under way is finished or given back. A second signal, or half a minute, ends the process at once: leases and
 * transactions prevent any loss even then.
 */
export async function runRoles(app: App, roles: readonly Role[]): Promise<void> {
  const stop = new AbortController();
  let failure: unknown;
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
    setTimeout(() => process.exit(1), GRACE_MS).unref();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    await Promise.all(
      roles.map((role) =>
        role(app, stop.signal).catch((error: unknown) => {
          failure ??= error;
          app.log.error('role_failed', { code: toAppError(error).code, error: toAppError(error).message });
          stop.abort();
        }),
      ),
    );
  } finally {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
  }
  if (failure !== undefined) throw failure;
}
