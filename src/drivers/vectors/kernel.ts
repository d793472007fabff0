/**
 * The two inner loops of a vector scan as a WebAssembly module, put together here for the dimension at hand, so that
 * they have no inner loops of their own. Plain TypeScript takes many times as long, for want of a population count
 * and of SIMD; the test compares both.
 */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /**
   * For each of `rows` rows of bits at `bits` whose byte at `mask` is set: how many differ from those at `query`.
   * Writes that to the 16-bit numbers at `out` (NOT_ASKED where the mask is 0) and counts it in the 32-bit ones at
   * `counts`.
   */
  differences(bits: number, rows: number, query: number, mask: number, out: number, counts: number): void;
  /** The dot product of two rows of 16-bit numbers. It must fit into 31 bits. */
  dot(a: number, b: number): number;
}

export const NOT_ASKED = 0xffff;

/** `dimension` is a multiple of 64. */
export function createKernel(dimension: number): Kernel {
  return new WebAssembly.Instance(new WebAssembly.Module(assemble(dimension))).exports;
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
const block = [0x02, NO_RESULT];
const loop = [0x03, NO_RESULT];
const ifSet = [0x04, NO_RESULT];
const otherwise = [0x05];
const end = [0x0b];
const branch = (depth: number) => [0x0c, depth];
const branchIf = (depth: number) => [0x0d, depth];
const get = (local: number) => [0x20, ...unsigned(local)];
const set = (local: number) => [0x21, ...unsigned(local)];
const tee = (local: number) => [0x22, ...unsigned(local)];
const load8 = [0x2d, 0, 0];
const load32 = [0x28, 2, 0];
const load64 = (offset: number) => [0x29, 3, ...unsigned(offset)];
const store16 = [0x3b, 1, 0];
const store32 = [0x36, 2, 0];
const number = (value: number) => [0x41, ...signed(value)];
const add = [0x6a];
const shiftLeft = [0x74];
const atLeast = [0x4f];
const add64 = [0x7c];
const xor64 = [0x85];
const countOnes64 = [0x7b];
const wrap64 = [0xa7];
const loadVector = (offset: number) => [0xfd, 0x00, 4, ...unsigned(offset)];
const lane = (at: number) => [0xfd, 0x1b, at];
const addVectors = [0xfd, 0xae, 0x01];
const dotVectors = [0xfd, 0xba, 0x01];

function differences(words: number): { locals: number[][]; code: number[] } {
  const [bits, rows, query, mask, out, counts, row, sum, asked] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const at = Array.from({ length: words }, (_, word) => word);
  const step = (local: number, by: number) => [...get(local), ...number(by), ...add, ...set(local)];
  const differing = (word: number) => [
    ...get(bits),
    ...load64(word * 8),
    ...get(asked + word),
    ...xor64,
    ...countOnes64,
  ];
  const code = [
    ...at.flatMap((word) => [...get(query), ...load64(word * 8), ...set(asked + word)]),
    ...block,
    ...loop,
    ...[...get(row), ...get(rows), ...atLeast, ...branchIf(1)],
    ...[...get(mask), ...get(row), ...add, ...load8],
    ...ifSet,
    ...[...at.flatMap((word) => [...differing(word), ...(word > 0 ? add64 : [])]), ...wrap64, ...set(sum)],
    ...[...get(out), ...get(sum), ...store16],
    ...[...get(sum), ...number(2), ...shiftLeft, ...get(counts), ...add, ...tee(sum)],
    ...[...get(sum), ...load32, ...number(1), ...add, ...store32],
    ...otherwise,
    ...[...get(out), ...number(NOT_ASKED), ...store16],
    ...end,
    ...step(bits, words * 8),
    ...step(out, 2),
    ...step(row, 1),
    ...branch(0),
    ...end,
    ...end,
  ];
  const locals = [
    [...unsigned(2), I32],
    [...unsigned(words), I64],
  ];
  return { locals, code };
}

function dot(vectors: number): { locals: number[][]; code: number[] } {
  const [a, b, sum] = [0, 1, 2];
  const multiply = (at: number) => [
    ...[...get(a), ...loadVector(at * 16), ...get(b), ...loadVector(at * 16), ...dotVectors],
    ...[...get(sum), ...addVectors, ...set(sum)],
  ];
  const code = [
    ...Array.from({ length: vectors }, (_, at) => multiply(at)).flat(),
    ...[...get(sum), ...lane(0), ...get(sum), ...lane(1), ...add],
    ...[...get(sum), ...lane(2), ...get(sum), ...lane(3), ...add, ...add],
  ];
  return { locals: [[1, V128]], code };
}

function assemble(dimension: number): Uint8Array {
  const name = (text: string) => list([...Buffer.from(text)].map((byte) => [byte]));
  const type = (takes: number, gives: number[][]) => [0x60, ...list(new Array(takes).fill([I32])), ...list(gives)];
  const body = ({ locals, code }: { locals: number[][]; code: number[] }) => sized([...list(locals), ...code, ...end]);
  return Uint8Array.from([
    ...Buffer.from('\0asm'),
    ...[1, 0, 0, 0],
    ...section(1, [type(6, []), type(2, [[I32]])]),
    ...section(3, [[0], [1]]),
    ...section(5, [[0x00, 1]]),
    ...section(7, [
      [...name('memory'), 2, 0],
      [...name('differences'), 0, 0],
      [...name('dot'), 0, 1],
    ]),
    ...section(10, [body(differences(dimension / 64)), body(dot(dimension / 8))]),
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
