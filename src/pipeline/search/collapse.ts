/** Keeps the best hit of every document; the list is best first, so that is its first one. */
export function collapse<Hit extends { documentId: string }>(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ documentId }) => !seen.has(documentId) && seen.add(documentId));
}
