/** The WHATWG name of an encoding label, or undefined for one that is not known. */
export function canonicalName(label: string | undefined): string | undefined {
  if (label === undefined || label.trim() === '') return undefined;
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}
