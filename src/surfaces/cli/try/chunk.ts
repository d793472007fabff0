import { z } from 'zod';
import { chunkText } from '../../../pipeline/index/chunk.ts';
import { loadTokenCounter } from '../../../pipeline/index/tokens.ts';
import { runFilter } from './filter.ts';

const Input = z.object({
  text: z.string(),
  strategy: z.enum(['markdown', 'sentence', 'sliding_window']).optional(),
  size: z.int().min(1).optional(),
  overlap: z.int().min(0).optional(),
  min: z.int().min(0).optional(),
});

/** `{id, text, size?, overlap?}` → `{id, chunks: [{start, end, content, tokens, heading, type}]}`. */
export async function run(): Promise<void> {
  const countTokens = await loadTokenCounter();
  await runFilter((line) => {
    const { text, ...options } = Input.parse(line);
    const chunks = chunkText(text, options, countTokens);
    return { chunks: chunks.map(({ headingPath, ...chunk }) => ({ ...chunk, heading: headingPath })) };
  });
}
