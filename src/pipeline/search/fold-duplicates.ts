/**
 * Of documents that are nearly the same only the one with the best hit stays, with all its hits; the list is best first. Where a
 * query tells them apart, that is the one it asks for.
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
