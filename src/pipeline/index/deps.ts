import type { Log } from '../../log.ts';
import type { Cache } from '../../ports/cache.ts';
import type { Database } from '../../ports/database.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Fulltext } from '../../ports/fulltext.ts';
import type { Vectors } from '../../ports/vectors.ts';

/** What indexing needs of the program; the app is one of these. */
export interface IndexDeps {
  readonly settings: {
    chunk: { strategy: 'markdown' | 'sentence' | 'sliding_window'; size: number; overlap: number; min: number };
    cache: { embedTtlS: number };
    embedder: { path?: string | undefined };
  };
  readonly log: Log;
  readonly database: Database;
  readonly cache: Cache;
  readonly embedder: Embedder;
  /** Vectors of the embedder's model. */
  readonly vectors: Vectors;
  openVectors(model: string, dimension: number): Vectors;
  readonly fulltext: Fulltext;
  /** How to have this embedder again after the settings changed; kept beside the vectors it made. */
  readonly embedderChoice?: unknown;
}
