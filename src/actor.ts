import { AsyncLocalStorage } from 'node:async_hooks';

const actors = new AsyncLocalStorage<string>();

/** Runs `work` in the name of a caller: what it writes to the log of events says so. */
export const actAs = <T>(actor: string, work: () => T): T => actors.run(actor, work);

/** Who acts: the caller of the request under way, or the system by itself. */
export const currentActor = (): string => actors.getStore() ?? 'system';
