/**
 * Requests made from our own API document, checked against it: `node eval/fuzz-api.ts [--requests 50000] [--seed N] [--json]`.
 * Starts a server and a database of its own on loopback; nothing is fetched from anywhere else. Ends with 1 when an answer is
 * a failure of the server, has a status that is not declared, or does not fit its schema.
 *
 * `--serve` only starts the server, prints its address and a key, and waits: for other fuzzers.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { fuzzApi } from '../test/support/fuzz/run.ts';
import { createWorld } from '../test/support/world.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    json: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
  },
});
const options = { requests: Number(values.requests), seed: Number(values.seed) };
if (!Number.isSafeInteger(options.requests) || !Number.isSafeInteger(options.seed))
  throw new Error('usage: node eval/fuzz-api.ts [--requests N] [--seed N] [--json]');

await using world = await createWorld({ BROWSER__PATH: '/nowhere' });
if (values.serve) {
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 });
  console.log(JSON.stringify({ document: `${address}/api/v1/openapi.json`, authorization: `Bearer ${world.key}` }));
  await once(process, 'SIGINT');
  process.exit();
}
console.error(`seed ${options.seed}, ${options.requests} requests`);
const { findings, ...report } = await fuzzApi(world, options);
for (const { operation, problem, request, answer, times } of findings)
  console.error(`${operation}: ${problem} (${times} times)\n  ${request}\n  ${answer}`);
if (values.json) console.log(JSON.stringify({ eval: 'fuzz-api', ...report, findings: findings.length }));
else console.log(report, `${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;
