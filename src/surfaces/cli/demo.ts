import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startDemoSite } from '../../demo/server.ts';
import { AppError } from '../../errors.ts';

const Port = z.coerce.number().int().min(0).max(65_535);

/** `crawl4r demo [--port N]`: serves the demo site until it is stopped. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    // Taken as `up` takes it; the demo site listens on loopback only, so it changes nothing.
    options: { port: { type: 'string', default: '53080' }, json: { type: 'boolean' }, insecure: { type: 'boolean' } },
  });
  const port = Port.safeParse(values.port);
  if (!port.success)
    throw new AppError('VALIDATION_FAILED', `--port takes a number from 0 to 65535, not ${values.port}`);
  await using site = await startDemoSite({ port: port.data });
  process.stdout.write(
    values.json ? `${JSON.stringify({ origin: site.origin, port: site.port })}\n` : `${site.origin}\n`,
  );
  process.stderr.write(
    `The demo site is at ${site.origin}. A day passes there by: curl -X POST ${site.origin}/__demo/next-day\n`,
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}
