type Numbers = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** A copy with capacity for `size` numbers and some more, so that growing one by one is cheap. */
export function grow<T extends Numbers>(numbers: T, size: number): T {
  if (size <= numbers.length) return numbers;
  const Kind = numbers.constructor as new (length: number) => T;
  const larger = new Kind(Math.max(size, Math.ceil(numbers.length * 1.5), 256));
  larger.set(numbers);
  return larger;
}
