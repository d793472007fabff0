const STRAY_PERCENT = /%(?![\da-f]{2})/i;
const UNRESERVED = /^[\w\-.~]$/;

/**
 * Undoes the percent-encoding of unreserved characters and writes the rest in capitals.
 * A text with a stray % is left alone: decoding next to it could make a new escape.
 */
export function normalizeEscapes(text: string): string {
  if (!text.includes('%') || STRAY_PERCENT.test(text)) return text;
  return text.replace(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
