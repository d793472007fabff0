import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readImageInfo } from './images.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replace(/\s/g, ''), 'hex'));
const ascii = (text: string) => Buffer.from(text, 'latin1').toString('hex');

const FILES: [name: string, bytes: Uint8Array, expected: [string, number, number] | undefined][] = [
  ['PNG', hex('89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 08060000'), ['image/png', 640, 480]],
  ['GIF', hex(`${ascii('GIF89a')} 2c01 c800 f00000`), ['image/gif', 300, 200]],
  [
    'JPEG',
    hex('ffd8 ffe0 0010 4a46494600010100000100010000 ff ffdb 0004 0000 ffc2 0011 08 0320 0258 03 011100021101031101'),
    ['image/jpeg', 600, 800],
  ],
  [
    'WebP, lossy',
    hex(`${ascii('RIFF')} 24000000 ${ascii('WEBPVP8 ')} 18000000 300100 9d012a 4001 f000`),
    ['image/webp', 320, 240],
  ],
  [
    'WebP, lossless',
    hex(`${ascii('RIFF')} 24000000 ${ascii('WEBPVP8L')} 18000000 2f 3fc13b00`),
    ['image/webp', 320, 240],
  ],
  [
    'WebP, extended',
    hex(`${ascii('RIFF')} 24000000 ${ascii('WEBPVP8X')} 0a000000 10000000 3f0100 ef0000`),
    ['image/webp', 320, 240],
  ],
  [
    'AVIF',
    hex(
      `0000001c ${ascii('ftypavif')} 00000000 ${ascii('avifmif1miaf')} 00000038 ${ascii('meta')} 00000000 0000002c ${ascii('iprp')} 00000024 ${ascii('ipco')} 00000014 ${ascii('ispe')} 00000000 00000190 0000012c 00000008 ${ascii('pixi')}`,
    ),
    ['image/avif', 400, 300],
  ],
  ['BMP', hex('424d 46000000 0000 0000 36000000 28000000 40000000 e0ffffff 0100 1800'), ['image/bmp', 64, 32]],
  ['icon', hex('00000100 0100 1000 0000 0100 2000'), ['image/x-icon', 16, 0x100]],
  ['HTML with a picture’s name', Buffer.from('<!doctype html><title>Not found</title>'), undefined],
  ['nothing', new Uint8Array(), undefined],
];

for (const [name, bytes, expected] of FILES) {
  test(`${name} is known by its first bytes`, () => {
    const info = readImageInfo(bytes);
    assert.deepEqual(info === undefined ? undefined : [info.mediaType, info.width, info.height], expected);
  });
}

test('no bytes break it', () => {
  const start = fc.constantFrom(...FILES.map(([, bytes]) => bytes));
  fc.assert(
    fc.property(start, fc.nat(40), fc.uint8Array({ maxLength: 60 }), (bytes, cut, rest) => {
      const info = readImageInfo(Buffer.concat([bytes.slice(0, cut), rest]));
      assert.ok(info === undefined || (info.width > 0 && info.height > 0));
    }),
    { numRuns: 1_000 },
  );
});
