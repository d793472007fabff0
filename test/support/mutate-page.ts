/** Pages gone wrong, the same for the same seed: bytes flipped, tags cut, doubled, nested and spliced. */

const PIECES = [
  '<', '>', '</', '<!--', '-->', '<![CDATA[', ']]>', '&', '&#x', '&#1114112;', '&notit;', '"', "'", '=', '\0', '\r', '\ufeff', '\u202e',
  '<table>', '<tr>', '<td>', '</table>', '<svg>', '</svg>', '<math>', '<template>', '<select>', '<option>', '<p>', '</p>', '<li>', '<h1>',
  '<a href="', '<a href="http://[::1">', '<base href="javascript:1">', '<script>', '</script>', '<style>', '<textarea>', '<title>', '<noscript>',
  '<pre>', '```', '|', '<meta charset="utf-16">', '<meta charset=x>', '<script type="application/ld+json">{"@type":["', '<img src="', '<blockquote>',
  '<div hidden>', '<div class="comment nav footer">', '<time datetime="9999-99-99T99:99">', '<html lang="x-">', '\ud83d', '💥', '𐀀',
]; // biome-ignore format: a list

/** A small generator of numbers in [0, 1): mutations must be repeatable. */
export function createRandom(seed: number): () => number {
  let state = (seed * 2654435761 + 1) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 7), 61 | state) >>> 0;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function mutatePage(page: Uint8Array, random: () => number): Uint8Array {
  let bytes: Buffer = Buffer.from(page);
  const rounds = 1 + Math.floor(random() * 12);
  for (let round = 0; round < rounds; round++) bytes = mutateOnce(bytes, random);
  return bytes;
}

function mutateOnce(bytes: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * (bytes.length + 1));
  const length = Math.floor(random() ** 3 * (bytes.length - at));
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at);
  const piece = Buffer.from(PIECES[Math.floor(random() * PIECES.length)]!);
  switch (Math.floor(random() * 7)) {
    case 0:
      return Buffer.concat([before, piece, after]);
    case 1:
      return Buffer.concat([before, ...Array<Buffer>(Math.floor(random() * 400)).fill(piece), after]);
    case 2:
      return Buffer.concat([before, bytes.subarray(at + length)]);
    case 3:
      return Buffer.concat([before, bytes.subarray(at, at + Math.min(length, 20_000)), after]);
    case 4:
      return before.length > 0 ? Buffer.from(before) : Buffer.from(bytes);
    case 5: {
      const flipped = Buffer.from(bytes);
      for (let count = 0; count < 50 && flipped.length > 0; count++)
        flipped[Math.floor(random() * flipped.length)] = Math.floor(random() * 256);
      return flipped;
    }
    default: {
      const moved = bytes.subarray(at, at + Math.min(length, 5_000));
      const to = Math.floor(random() * (bytes.length + 1));
      return Buffer.concat([bytes.subarray(0, to), moved, bytes.subarray(to)]);
    }
  }
}
