/** Tokens kept free for the context a chunk is embedded with; chunks are cut so that both fit the model. */
const CONTEXT_TOKENS = 56;

/** Characters of title and heading that surely fit those tokens in all but odd texts; the model's windows take the rest. */
const MAX_CONTEXT = 200;

/** What the embedder reads for a chunk: where it stands, then what it says. A passage alone often hides its subject. */
export function embeddingText(chunk: { title: string; headingPath: readonly string[]; content: string }): string {
  const heading = chunk.headingPath.at(-1) ?? '';
  const parts = [chunk.title];
  if (heading !== '' && heading !== chunk.title && !chunk.content.includes(heading)) parts.push(heading);
  const context = parts
    .filter((part) => part !== '')
    .join(' > ')
    .slice(0, MAX_CONTEXT);
  return context === '' ? chunk.content : `${context}\n\n${chunk.content}`;
}

/** The largest chunk that still leaves tokens for the context. */
const largestSize = (maxTokens: number) => Math.max(16, maxTokens - CONTEXT_TOKENS);

/** The requested size, up to the model's limit. */
export const fittingSize = (size: number, maxTokens: number) => Math.min(Math.max(16, size), largestSize(maxTokens));
