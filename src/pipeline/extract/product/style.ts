export function isStruckStyle(attribs: Record<string, string>): boolean {
  return attribs.style !== undefined && /line-through/i.test(attribs.style);
}
