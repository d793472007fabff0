import { crc32, deflateSync } from 'node:zlib';

/** A PDF of one page with these lines of text, uncompressed, in a built-in font. */
export function makePdf(title: string, lines: readonly string[]): Buffer {
  const text = (value: string) => `(${value.replaceAll(/[\\()]/g, '\\$&')})`;
  const content = [
    'BT',
    '/F1 18 Tf 56 780 Td',
    `${text(title)} Tj`,
    '/F1 11 Tf 0 -30 Td 15 TL',
    ...lines.map((line) => `${text(line)} Tj T*`),
    'ET',
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title ${text(title)} /Author (Meadowlark Instruments) >>`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R >>`;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

const WIDTH = 320;
const HEIGHT = 240;

/** A picture of a hill under a sky, in colours that depend on the number. */
export function makePng(seed: number): Buffer {
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3));
  const hue = (seed * 47) % 90;
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const hill = y > 150 + 24 * Math.sin((x + seed * 31) / 46);
      const sun = (x - 60 - ((seed * 23) % 200)) ** 2 + (y - 62) ** 2 < 26 ** 2;
      const shade = Math.round((y / HEIGHT) * 60);
      const [red, green, blue] = hill
        ? [58 + hue / 2, 128 - shade / 3, 84]
        : sun
          ? [244, 200, 98]
          : [190 + shade / 2, 214 + shade / 3, 226 - hue / 3];
      rows.set([red, green, blue], y * (1 + WIDTH * 3) + 1 + x * 3);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND')]);
}

function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
