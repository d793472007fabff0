/** Just enough of ONNX's protobuf format to write a model of a few nodes: field numbers are those of onnx.proto. */

type Bytes = Buffer;

const varint = (value: number): Bytes => {
  const bytes: number[] = [];
  let rest = BigInt(value);
  if (rest < 0n) rest += 1n << 64n;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
};
const number = (field: number, value: number): Bytes => Buffer.concat([varint(field << 3), varint(value)]);
const message = (field: number, ...parts: Bytes[]): Bytes => {
  const body = Buffer.concat(parts);
  return Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
};
const text = (field: number, value: string): Bytes => message(field, Buffer.from(value));

const FLOAT = 1;
const INT64 = 7;

export interface OnnxNode {
  op: string;
  inputs: string[];
  output: string;
  /** Whole numbers only: all a cast or a concatenation needs. */
  attributes?: Record<string, number>;
}

const nodeBytes = ({ op, inputs, output, attributes = {} }: OnnxNode): Bytes =>
  message(
    1,
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, text(1, name), number(3, value), number(20, 2))),
  );

const valueBytes = (field: number, name: string, type: number, shape: string[]): Bytes =>
  message(
    field,
    text(1, name),
    message(2, message(1, number(1, type), message(2, ...shape.map((dimension) => message(1, text(2, dimension)))))),
  );

const constantBytes = (name: string, value: number, type: number): Bytes => {
  const raw = Buffer.alloc(type === FLOAT ? 4 : 8);
  if (type === FLOAT) raw.writeFloatLE(value);
  else raw.writeBigInt64LE(BigInt(value));
  return message(5, number(1, 1), number(2, type), text(8, name), message(9, raw));
};

export const castTo = { float: { to: FLOAT } };

/** A model that takes int64 inputs of [batch, tokens] and gives one float output. */
export function onnxModel(graph: {
  inputs: string[];
  nodes: OnnxNode[];
  output: { name: string; shape: string[] };
  integers?: Record<string, number>;
  floats?: Record<string, number>;
}): Uint8Array {
  return Buffer.concat([
    number(1, 8),
    message(
      7,
      ...graph.nodes.map(nodeBytes),
      text(2, 'graph'),
      ...Object.entries(graph.integers ?? {}).map(([name, value]) => constantBytes(name, value, INT64)),
      ...Object.entries(graph.floats ?? {}).map(([name, value]) => constantBytes(name, value, FLOAT)),
      ...graph.inputs.map((name) => valueBytes(11, name, INT64, ['batch', 'tokens'])),
      valueBytes(12, graph.output.name, FLOAT, graph.output.shape),
    ),
    message(8, text(1, ''), number(2, 13)),
  ]);
}
