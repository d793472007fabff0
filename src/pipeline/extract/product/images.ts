/** What the first bytes of an image say. Nothing is decoded: headers name the type and the size. */
export interface ImageInfo {
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif' | 'image/bmp' | 'image/x-icon';
  width: number;
  height: number;
}

/** Type and size of an image, or undefined for anything else, whatever its name or Content-Type claim. */
export function readImageInfo(bytes: Uint8Array): ImageInfo | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const info =
      readPng(view) ??
      readGif(view) ??
      readWebp(view) ??
      readAvif(view) ??
      readBmp(view) ??
      readIcon(view) ??
      readJpeg(view);
    return info !== undefined && info.width > 0 && info.height > 0 ? info : undefined;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPng(view: DataView): ImageInfo | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined;
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageInfo | undefined {
  if (text(view, 0, 4) !== 'GIF8') return undefined;
  return { mediaType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageInfo | undefined {
  if (text(view, 0, 4) !== 'RIFF' || text(view, 8, 4) !== 'WEBP') return undefined;
  const mediaType = 'image/webp';
  const kind = text(view, 12, 4);
  if (kind === 'VP8X') return { mediaType, width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (kind !== 'VP8 ') return undefined;
  return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

const BMP = 0x424d;

function readBmp(view: DataView): ImageInfo | undefined {
  if (view.getUint16(0) !== BMP || view.getUint32(14, true) < 12) return undefined;
  return { mediaType: 'image/bmp', width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

function readIcon(view: DataView): ImageInfo | undefined {
  if (view.getUint32(0) !== 0x00000100 || view.getUint16(4, true) === 0) return undefined;
  return { mediaType: 'image/x-icon', width: view.getUint8(6) || 256, height: view.getUint8(7) || 256 };
}

/** Walks the segments up to the frame header, the one that knows the size. */
function readJpeg(view: DataView): ImageInfo | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { mediaType: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    const bare = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
    at += marker === 0xff ? 1 : bare ? 2 : 2 + view.getUint16(at + 2);
  }
}

/** AVIF is a tree of boxes; the size stands in `ispe`, inside `meta`, `iprp` and `ipco`. The largest one is the picture. */
function readAvif(view: DataView): ImageInfo | undefined {
  if (text(view, 4, 4) !== 'ftyp') return undefined;
  const brands = text(view, 8, Math.min(view.getUint32(0), 64) - 8);
  if (!/avi[fs]/.test(brands)) return undefined;
  let best: ImageInfo | undefined;
  const visit = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const size = view.getUint32(at);
      const kind = text(view, at + 4, 4);
      const end = size < 8 ? to : Math.min(to, at + size);
      if (kind === 'meta') visit(at + 12, end);
      else if (kind === 'iprp' || kind === 'ipco') visit(at + 8, end);
      else if (kind === 'ispe') {
        const width = view.getUint32(at + 12);
        const height = view.getUint32(at + 16);
        if (best === undefined || width * height > best.width * best.height)
          best = { mediaType: 'image/avif', width, height };
      }
      at = end;
    }
  };
  visit(0, view.byteLength);
  return best;
}

function text(view: DataView, at: number, length: number): string {
  let value = '';
  for (let index = 0; index < length; index++) value += String.fromCharCode(view.getUint8(at + index));
  return value;
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}
