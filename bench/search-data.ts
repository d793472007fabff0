/** Numbers that are the same every time (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES =
  'ba be bi bo da de di do ga go ka ke ko la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve'.split(
    ' ',
  );

/** Made-up words that occur as often as words do (Zipf), and vectors that lie in clusters as real ones do. */
export function createWords(random: () => number, count: number) {
  const list = Array.from({ length: count }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(
      '',
    ),
  );
  const pick = (from: number) =>
    list[Math.min(count - 1, Math.floor(Math.exp(from + random() * (Math.log(count) - from))) - 1)]!;
  const centers: Float32Array[] = [];
  const noise = (size: number) => Float32Array.from({ length: size }, () => random() + random() + random() - 1.5);
  return {
    text: (length: number) => Array.from({ length }, () => pick(0)).join(' '),
    /** Words people search for are not the very commonest. */
    query: (length: number) => Array.from({ length }, () => pick(3)).join(' '),
    vector(size: number): Float32Array {
      if (centers.length === 0) for (let at = 0; at < 500; at++) centers.push(noise(size));
      const center = centers[Math.floor(random() * centers.length)]!;
      const vector = noise(size).map((value, at) => center[at]! + 0.8 * value);
      const norm = Math.hypot(...vector);
      return vector.map((value) => value / norm);
    },
  };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
}
