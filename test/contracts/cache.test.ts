import { createMemoryCache } from '../../src/drivers/cache/memory.ts';
import { cacheContract } from './cache.contract.ts';
import { runContract } from './support/contract.ts';

runContract(cacheContract, 'memory', async () => {
  let clock = 1;
  return {
    cache: createMemoryCache({ maxMb: 4, now: () => clock }),
    advance: async (ms) => {
      clock += ms;
    },
    // The memory of a process is lost when it starts again.
    wipe: async () => createMemoryCache({ maxMb: 4, now: () => clock }),
  };
});
