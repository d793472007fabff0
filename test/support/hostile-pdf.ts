import { once } from 'node:events';
import { constants, createDeflate, deflateSync } from 'node:zlib';

type Part = string | Buffer;

/** A PDF of these objects, numbered from 1; the first is the catalog. */
export function makePdf(objects: readonly Part[], trailer = '<< /Size 9 /Root 1 0 R >>'): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  let length = parts[0]!.length;
  const offsets: number[] = [];
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n${trailer}\nstartxref\n${length}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

export const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);

/** One page with this content. */
export const onePage = (content: Buffer): Part[] => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << >> /Contents 4 0 R >>',
  content,
];

/** So many megabytes of spaces, packed twice: about 2 KB. */
export async function packBomb(megabytes: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 6, strategy: constants.Z_RLE });
  const packed: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => packed.push(chunk));
  const spaces = Buffer.alloc(1024 * 1024, ' ');
  for (let at = 0; at < megabytes; at++) if (!deflate.write(spaces)) await once(deflate, 'drain');
  deflate.end();
  await once(deflate, 'end');
  return deflateSync(Buffer.concat(packed), { level: 9 });
}
