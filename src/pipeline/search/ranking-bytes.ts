import type { RankedHit, Ranking } from './ranking.ts';

const NUMBERS = ['score', 'vectorScore', 'vectorRank', 'keywordScore', 'keywordRank', 'rerankScore'] as const;

/** A ranking as the cache keeps it: text first, then the numbers as they are, since printing them takes most of the time. */
export function encodeRanking({ hits, ...rest }: Ranking): Uint8Array {
  const numbers = new Float64Array(hits.length * NUMBERS.length);
  const ids: string[] = [];
  let at = 0;
  for (const hit of hits) {
    ids.push(hit.chunkId, hit.documentId);
    // One by one, in the order of NUMBERS: by name it would take several times as long.
    numbers[at] = hit.score;
    numbers[at + 1] = hit.vectorScore ?? Number.NaN;
    numbers[at + 2] = hit.vectorRank ?? Number.NaN;
    numbers[at + 3] = hit.keywordScore ?? Number.NaN;
    numbers[at + 4] = hit.keywordRank ?? Number.NaN;
    numbers[at + 5] = hit.rerankScore ?? Number.NaN;
    at += NUMBERS.length;
  }
  const text = Buffer.from(JSON.stringify({ ...rest, ids }));
  return Buffer.concat([Buffer.from(Uint32Array.of(text.length).buffer), text, Buffer.from(numbers.buffer)]);
}

export function decodeRanking(bytes: Uint8Array): Ranking {
  const whole = Buffer.from(bytes);
  const end = 4 + whole.readUInt32LE(0);
  const { ids, ...rest } = JSON.parse(whole.toString('utf8', 4, end)) as Omit<Ranking, 'hits'> & { ids: string[] };
  const numbers = new Float64Array(new Uint8Array(whole.subarray(end)).buffer);
  const hits = Array.from({ length: ids.length / 2 }, (_, row) => {
    const hit: RankedHit = { chunkId: ids[2 * row]!, documentId: ids[2 * row + 1]!, score: 0 };
    NUMBERS.forEach((name, column) => {
      const value = numbers[row * NUMBERS.length + column]!;
      if (!Number.isNaN(value)) hit[name] = value;
    });
    return hit;
  });
  return { ...rest, hits };
}
