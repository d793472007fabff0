/**
 * The two inner loops of a vector scan as a WebAssembly module, generated for the given dimension, so that
 * they have no inner loops of their own. Plain TypeScript takes many times as long: it has no population count
 * and no SIMD.
 */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /**
   * For each row of bits at `bits` whose byte at `mask` is set: how many differ from those at `query`. Writes that to
   * the 16-bit numbers at `out` (NOT_ASKED where the mask is 0) and counts it in the 32-bit ones at `counts`.
   */
  differences(bits: number, query: number, mask: number, out: number, counts: number): void;
  /**
   * For each row whose number at `differences` is `bound` or less: writes to `out` the address of its 16-bit components,
   * which lie at `vectors`, and their dot product with those at `query`, each in 32 bits. Returns where it ended. A dot
   * product must fit into 31 bits.
   */
  rank(differences: number, bound: number, vectors: number, query: number, out: number): number;
}

const NOT_ASKED = 0xffff;

/** Works on `rows` rows (a multiple of 8) of `dimension` components (a multiple of 64) at once. */
export function createKernel(dimension: number, rows: number): Kernel {
  return new WebAssembly.Instance(new WebAssembly.Module(assemble(dimension, rows))).exports;
}

/** As much of the global as is used: the compiler's own types come with those of a browser only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Kernel };
};

const I32 = 0x7f;
const I64 = 0x7e;
const V128 = 0x7b;
const NO_RESULT = 0x40;

// Instructions, by the names the specification gives them. A load or store names its alignment (as a power of two) and offset.
const loop = [0x03, NO_RESULT];
const ifSet = [0x04, NO_RESULT];
const otherwise = [0x05];
const end = [0x0b];
const branchIf = (depth: number) => [0x0d, depth];
const get = (local: number) => [0x20, ...unsigned(local)];
const set = (local: number) => [0x21, ...unsigned(local)];
const tee = (local: number) => [0x22, ...unsigned(local)];
const load8 = [0x2d, 0, 0];
const load16 = [0x2f, 1, 0];
const load32 = [0x28, 2, 0];
const load64 = (offset: number) => [0x29, 3, ...unsigned(offset)];
const store16 = [0x3b, 1, 0];
const store32 = (offset: number) => [0x36, 2, ...unsigned(offset)];
const number = (value: number) => [0x41, ...signed(value)];
const add = [0x6a];
const shiftLeft = [0x74];
const less = [0x49];
const atMost = [0x4d];
const add64 = [0x7c];
const xor64 = [0x85];
const countOnes64 = [0x7b];
const wrap64 = [0xa7];
const loadVector = (offset: number) => [0xfd, 0x00, 4, ...unsigned(offset)];
const spread16 = [0xfd, 0x10];
const atMost16 = [0xfd, 0x34];
const anySet = [0xfd, 0x53];
const lane = (at: number) => [0xfd, 0x1b, at];
const addVectors = [0xfd, 0xae, 0x01];
const dotVectors = [0xfd, 0xba, 0x01];

interface Body {
  locals: number[][];
  code: number[];
}

const step = (local: number, by: number) => [...get(local), ...number(by), ...add, ...set(local)];
const offsets = (count: number, size: number) => Array.from({ length: count }, (_, at) => at * size);

function differences(dimension: number, rows: number): Body {
  const [bits, query, mask, out, counts, stop, sum, asked] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const words = offsets(dimension / 64, 8);
  const differing = (at: number) => [
    ...[...get(bits), ...load64(at), ...get(asked + at / 8), ...xor64, ...countOnes64],
    ...(at > 0 ? add64 : []),
  ];
  const code = [
    ...words.flatMap((at) => [...get(query), ...load64(at), ...set(asked + at / 8)]),
    ...[...get(mask), ...number(rows), ...add, ...set(stop)],
    ...loop,
    ...[...get(mask), ...load8],
    ...ifSet,
    ...[...words.flatMap(differing), ...wrap64, ...set(sum)],
    ...[...get(out), ...get(sum), ...store16],
    ...[...get(sum), ...number(2), ...shiftLeft, ...get(counts), ...add, ...tee(sum)],
    ...[...get(sum), ...load32, ...number(1), ...add, ...store32(0)],
    ...otherwise,
    ...[...get(out), ...number(NOT_ASKED), ...store16],
    ...end,
    ...step(bits, dimension / 8),
    ...step(out, 2),
    ...step(mask, 1),
    ...[...get(mask), ...get(stop), ...less, ...branchIf(0)],
    ...end,
  ];
  const locals = [
    [...unsigned(2), I32],
    [...unsigned(words.length), I64],
  ];
  return { locals, code };
}

function rank(dimension: number, rows: number): Body {
  const [differing, bound, vectors, query, out, stop, groupEnd, bounds, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const multiply = (at: number) => [
    ...[...get(vectors), ...loadVector(at), ...get(query), ...loadVector(at), ...dotVectors],
    ...(at > 0 ? [...get(sum), ...addVectors] : []),
    ...set(sum),
  ];
  const code = [
    ...[...get(bound), ...spread16, ...set(bounds)],
    ...[...get(differing), ...number(rows * 2), ...add, ...set(stop)],
    ...loop,
    // Most groups of eight hold no candidate.
    ...[...get(differing), ...loadVector(0), ...get(bounds), ...atMost16, ...anySet],
    ...ifSet,
    ...[...get(differing), ...number(16), ...add, ...set(groupEnd)],
    ...loop,
    ...[...get(differing), ...load16, ...get(bound), ...atMost],
    ...ifSet,
    ...[...get(out), ...get(vectors), ...store32(0)],
    ...offsets(dimension / 8, 16).flatMap(multiply),
    ...[...get(out), ...get(sum), ...lane(0), ...get(sum), ...lane(1), ...add],
    ...[...get(sum), ...lane(2), ...get(sum), ...lane(3), ...add, ...add, ...store32(4)],
    ...step(out, 8),
    ...end,
    ...step(differing, 2),
    ...step(vectors, dimension * 2),
    ...[...get(differing), ...get(groupEnd), ...less, ...branchIf(0)],
    ...end,
    ...otherwise,
    ...step(differing, 16),
    ...step(vectors, dimension * 16),
    ...end,
    ...[...get(differing), ...get(stop), ...less, ...branchIf(0)],
    ...end,
    ...get(out),
  ];
  return {
    locals: [
      [2, I32],
      [2, V128],
    ],
    code,
  };
}

function assemble(dimension: number, rows: number): Uint8Array {
  const name = (text: string) => list([...Buffer.from(text)].map((byte) => [byte]));
  const type = (takes: number, gives: number[][]) => [0x60, ...list(new Array(takes).fill([I32])), ...list(gives)];
  const body = ({ locals, code }: Body) => sized([...list(locals), ...code, ...end]);
  return Uint8Array.from([
    ...Buffer.from('\0asm'),
    ...[1, 0, 0, 0],
    ...section(1, [type(5, []), type(5, [[I32]])]),
    ...section(3, [[0], [1]]),
    ...section(5, [[0x00, 1]]),
    ...section(7, [
      [...name('memory'), 2, 0],
      [...name('differences'), 0, 0],
      [...name('rank'), 0, 1],
    ]),
    ...section(10, [body(differences(dimension, rows)), body(rank(dimension, rows))]),
  ]);
}

const section = (id: number, entries: number[][]) => [id, ...sized(list(entries))];
const list = (entries: number[][]) => [...unsigned(entries.length), ...entries.flat()];
const sized = (bytes: number[]) => [...unsigned(bytes.length), ...bytes];

/** Numbers in the format's variable length (LEB128). */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
