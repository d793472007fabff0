import { findModel, readJson } from '../src/drivers/embedder/onnx-model.ts';

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

/**
 * Whole words of the bundled model's vocabulary, commonest first as they stand there. Made-up ones would break into
 * several pieces each, and a query would cost the model two or three times what a real one does.
 */
function readVocabulary(count: number): string[] {
  const { model } = readJson(findModel().tokenizer) as { model: { vocab: Record<string, number> } };
  return Object.entries(model.vocab)
    .sort((a, b) => a[1] - b[1])
    .map(([word]) => word)
    .filter((word) => /^[a-z]{3,}$/.test(word))
    .slice(0, count);
}

/** Texts in which words occur as often as words do (Zipf), and vectors that lie in clusters as real ones do. */
export function createWords(random: () => number, count: number) {
  const list = readVocabulary(count);
  const pick = (from: number) =>
    list[Math.min(list.length - 1, Math.floor(Math.exp(from + random() * (Math.log(list.length) - from))) - 1)]!;
  const centers: Float32Array[] = [];
  const noise = (size: number) => Float32Array.from({ length: size }, () => random() + random() + random() - 1.5);
  return {
    /** In sentences of twelve words. */
    text: (length: number) => Array.from({ length }, (_, at) => (at % 12 === 11 ? `${pick(0)}.` : pick(0))).join(' '),
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
