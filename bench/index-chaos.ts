/** 1,000 random operations and kills of the indexer; prints what reconcile finds after it settled. */
import { parseArgs } from 'node:util';
import { createTestDatabase } from '../test/support/database.ts';
import { runIndexChaos } from '../test/support/index-chaos.ts';
import { seededRandom } from './search-data.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
await using database = await createTestDatabase({ poolSize: 8 });
const end = await runIndexChaos(database, {
  operations: Number(values.operations),
  kills: Number(values.kills),
  random: seededRandom(Number(values.seed)),
});
console.log(JSON.stringify({ operations: Number(values.operations), kills: Number(values.kills), ...end }));
