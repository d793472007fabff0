import { createMemoryCache } from '../../src/drivers/cache/memory.ts';
import { testCache } from './cache.contract.ts';

testCache('memory', async () => {
  let clock = 1;
  return {
    cache: createMemoryCache({ maxMb: 4, now: () => clock }),
    advance: async (ms) => {
      clock += ms;
    },
  };
});
