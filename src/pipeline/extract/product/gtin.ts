/** A GTIN-8, -12, -13 or -14 (EAN, UPC, ISBN-13) whose check digit is right, as digits only. */
export function readGtin(value: string): string | undefined {
  const text = value.replace(/^\s*(?:urn:)?(?:gtin|ean|upc|isbn)[-:\s]*/i, '').replace(/[\s-]/g, '');
  if (/^\d{9}[\dXx]$/.test(text)) return fromIsbn10(text);
  if (!/^(?:\d{8}|\d{12,14})$/.test(text) || /^0+$/.test(text)) return undefined;
  return checkDigit(text.slice(0, -1)) === text.at(-1) ? text : undefined;
}

function checkDigit(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) sum += Number(digits.at(-1 - at)) * (at % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
}

/** Books have carried ISBN-13 as their GTIN since 2007; older pages still print the short form. */
function fromIsbn10(text: string): string | undefined {
  let sum = 0;
  for (let at = 0; at < 10; at++) sum += (text[at]!.toUpperCase() === 'X' ? 10 : Number(text[at])) * (10 - at);
  if (sum % 11 !== 0) return undefined;
  const digits = `978${text.slice(0, 9)}`;
  return digits + checkDigit(digits);
}
