/** Kept of a response's header fields at most, in characters. */
const MAX_BLOCK = 8_192;
/** Cookies are for one visitor. */
const LEFT_OUT = new Set(['set-cookie', 'set-cookie2']);

/**
 * The header fields of a response as they are kept beside its bytes: `name: value` lines, without cookies, cut at whole fields. One
 * text, because it is written with every page and read only by an export.
 */
export function toHeaderBlock(headers: Readonly<Record<string, string>>): string {
  let block = '';
  for (const name in headers) {
    if (LEFT_OUT.has(name)) continue;
    const line = `${name}: ${headers[name]}\r\n`;
    if (block.length + line.length > MAX_BLOCK) continue;
    block += line;
  }
  return block;
}

/** The fields of such a block, names in lower case. */
export function readHeaderBlock(block: string): [name: string, value: string][] {
  return block
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
}
