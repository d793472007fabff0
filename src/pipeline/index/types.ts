export interface ChunkOptions {
  strategy?: 'markdown' | 'sentence' | 'sliding_window';
  /** Tokens per chunk, at most. */
  size?: number;
  overlap?: number;
  /** Chunks smaller than this join their neighbour. */
  min?: number;
}

export interface TextChunk {
  /** `text.slice(start, end) === content`, always. */
  start: number;
  end: number;
  content: string;
  tokens: number;
  headingPath: string[];
  type: 'prose' | 'code' | 'table' | 'list';
}
