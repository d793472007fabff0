import type { PageMetadata } from './types.ts';

/** Metadata as it is stored and shown: the names of its fields in the style of the API, `publishedAt` as `published_at`. */
export const toStoredMetadata = (metadata: PageMetadata): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
