/**
 * The text without the characters at its end that `one` (a pattern for a single character) takes. The pattern `[…]+$`
 * would start anew at every such character inside the text: a long run of them takes quadratic time.
 */
export function stripEnd(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}
