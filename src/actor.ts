import { AsyncLocalStorage } from 'node:async_hooks';

const actors = new AsyncLocalStorage<string>();

/** Runs `work` in the name of a caller: what it writes to the log of events says so. */
export const actAs = <T>(actor: string, work: () => T): T => actors.run(actor, work);

/** The actor: the caller of the current request, or the system itself. */
export const currentActor = (): string => actors.getStore() ?? 'system';
