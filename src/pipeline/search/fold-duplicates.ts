/**
 * Of documents that are nearly the same only the one with the best hit stays, with all its hits; the list is best first. Where a
 * query distinguishes them, that is the one it looks for.
 */
export function foldDuplicates<Hit extends { documentId: string }>(
  hits: readonly Hit[],
  groups: ReadonlyMap<string, string>,
): Hit[] {
  const shown = new Map<string, string>();
  return hits.filter(({ documentId }) => {
    const group = groups.get(documentId) ?? documentId;
    const first = shown.get(group) ?? documentId;
    shown.set(group, first);
    return first === documentId;
  });
}
