/** A longer text fills the caches of a core by itself; together with others it would take longer, and more memory. */
const MAX_CHARS = 2_000;

/**
 * Splits texts into batches of at most `max`, given as places in `texts`. Texts of like length share a batch, because
 * all of a batch are padded to its longest; long ones go alone.
 */
export function planBatches(texts: readonly string[], max: number): number[][] {
  const order = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const at of order) {
    if (batch.length === max || (batch.length + 1) * texts[at]!.length > MAX_CHARS) batch = [];
    if (batch.length === 0) batches.push(batch);
    batch.push(at);
  }
  return batches;
}
