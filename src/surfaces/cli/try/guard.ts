import { z } from 'zod';
import { createGuard } from '../../../web/guard.ts';
import { runFilter } from './filter.ts';

const Input = z.object({ url: z.string(), dns: z.union([z.string(), z.array(z.string())]).nullish() });

/** Judges with an empty allow-list. `dns` stands for what the name resolves to; without it the name alone is judged. */
export async function run(): Promise<void> {
  const guard = createGuard([]);
  await runFilter((line) => {
    const { url: text, dns } = Input.parse(line);
    const url = URL.parse(text);
    if (url === null) return { allowed: false, reason: 'the address cannot be read' };
    const verdict = guard.checkUrl(url);
    if (!verdict.allowed) return verdict;
    for (const address of [dns ?? []].flat()) {
      const judged = guard.checkAddress(address, url.hostname, Number(url.port));
      if (!judged.allowed) return judged;
    }
    return { allowed: true, reason: null };
  });
}
